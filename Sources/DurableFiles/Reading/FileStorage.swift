internal import Glibc

/// Where the bytes of a file are read to, so that they are copied once, to where they are needed. Not a generic parameter
/// of the reader, because types that depend on it would be looked up at run time.
package protocol FileStorage: AnyObject {
    /// Writes the first of some bytes, and returns how many.
    typealias Fill = (UnsafeMutableRawBufferPointer) throws(ErrorNumber) -> Int

    /// Replaces the bytes by up to `capacity` others, which `fill` writes.
    func replace(capacity: Int, _ fill: Fill) throws(ErrorNumber)

    func withStoredBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result
}

extension FileStorage {
    var count: Int { withStoredBytes { $0.count } }

    func isSame(as bytes: [UInt8]) -> Bool {
        withStoredBytes { mine in bytes.withUnsafeBytes { mine.isSame(as: $0) } }
    }

    func replace(with bytes: [UInt8]) {
        // Filling throws nothing.
        try? replace(capacity: bytes.count) { memory in
            memory.copyBytes(from: bytes)
            return bytes.count
        }
    }
}

/// The bytes of a file as an array.
final class ByteStorage: FileStorage {
    private(set) var bytes: [UInt8] = []

    func replace(capacity: Int, _ fill: Fill) throws(ErrorNumber) {
        bytes = try [UInt8](capacity: capacity) { (span: inout OutputSpan<UInt8>) throws(ErrorNumber) in
            try span.withUnsafeMutableBufferPointer { (buffer, filled) throws(ErrorNumber) in
                filled = try fill(
                    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<capacity]))
            }
        }
    }

    func withStoredBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { bytes.withUnsafeBytes(body) }
}

extension UnsafeRawBufferPointer {
    /// Whether two ranges have the same bytes. Compares many at a time.
    func isSame(as other: UnsafeRawBufferPointer) -> Bool {
        count == other.count && (isEmpty || memcmp(baseAddress!, other.baseAddress!, count) == 0)
    }
}

extension [UInt8] {
    /// Whether two arrays have the same bytes. Unlike `==`, compares many at a time.
    func isSame(as other: [UInt8]) -> Bool {
        withUnsafeBytes { mine in other.withUnsafeBytes { mine.isSame(as: $0) } }
    }
}

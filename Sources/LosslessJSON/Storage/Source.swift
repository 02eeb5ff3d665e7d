/// The bytes that texts are slices of: a whole file, or the few strings that a reload brought.
typealias Source = Page<UInt8>

extension Page where Element == UInt8 {
    /// A scanner loads eight or sixteen bytes at a time, so this many zeros stand behind what it reads. The zeros also
    /// end each of its loops: none of them is part of a JSON token.
    static var padding: Int { 32 }

    /// A copy of `bytes` that a scanner may run over.
    static func scannable(_ bytes: UnsafeRawBufferPointer) -> Source {
        let count = bytes.count
        return Source.make(count, room: padding) { start in
            if let from = bytes.baseAddress {
                UnsafeMutableRawPointer(start).copyMemory(from: from, byteCount: count)
            }
            (start + count).initialize(repeating: 0, count: padding)
        }
    }

    /// A copy of `bytes` with nothing behind it, for strings that did not come from a file.
    static func exactly(_ bytes: UnsafeBufferPointer<UInt8>) -> Source {
        Source.make(bytes.count) { start in
            if let from = bytes.baseAddress { start.initialize(from: from, count: bytes.count) }
        }
    }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: elements, count: count) }
}

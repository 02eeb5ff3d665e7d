/// A place in a text, as people and editors name it.
public struct JSONLocation: Sendable, Hashable, Comparable {
    /// How many bytes stand before it, a byte-order mark among them.
    public let offset: Int

    /// The line, from 1. A line ends with LF, CR LF or CR.
    public let line: Int

    /// The column, from 1, in Unicode scalars. A tab counts one, a byte-order mark none.
    public let column: Int

    init(offset: Int, line: Int, column: Int) {
        (self.offset, self.line, self.column) = (offset, line, column)
    }

    /// Whether one place stands before another.
    public static func < (a: JSONLocation, b: JSONLocation) -> Bool { a.offset < b.offset }
}

extension JSONLocation: CustomStringConvertible {
    /// Line and column: `3:7`.
    public var description: String { "\(line):\(column)" }
}

/// Counts lines and columns while it goes forward through a text.
struct LineCounter {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 0
    private var line = 1
    private var column = 1

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// The place of `target`, which is not before the last one asked for.
    mutating func location(of target: Int) -> JSONLocation {
        while offset < min(target, bytes.count) {
            let byte = bytes[offset]
            let isBeforeLineFeed = byte == 0x0D && offset + 1 < bytes.count && bytes[offset + 1] == 0x0A
            if (byte == 0x0A || byte == 0x0D) && !isBeforeLineFeed {
                (line, column) = (line + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
            offset += 1
        }
        return JSONLocation(offset: target, line: line, column: column)
    }

    /// The places of many offsets, in one pass.
    static func locations(of offsets: [Int], in bytes: UnsafeBufferPointer<UInt8>) -> [Int: JSONLocation] {
        var counter = LineCounter(bytes)
        var result: [Int: JSONLocation] = [:]
        for offset in offsets.sorted() where result[offset] == nil { result[offset] = counter.location(of: offset) }
        return result
    }
}

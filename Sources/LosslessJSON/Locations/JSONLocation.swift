internal import Glibc

/// A location in a text as people and editors denote it.
public struct JSONLocation: Sendable, Hashable, Comparable {
    /// The byte offset, including a byte-order mark.
    public let offset: Int

    /// The line, starting at 1. Lines end with LF, CR LF or CR.
    public let line: Int

    /// The column in Unicode scalars, starting at 1. A tab counts as one; a byte-order mark is not counted.
    public let column: Int

    init(offset: Int, line: Int, column: Int) {
        (self.offset, self.line, self.column) = (offset, line, column)
    }

    /// Whether one location precedes another.
    public static func < (a: JSONLocation, b: JSONLocation) -> Bool { a.offset < b.offset }
}

extension JSONLocation: CustomStringConvertible {
    /// Line and column: `3:7`.
    public var description: String { "\(line):\(column)" }
}

/// Counts lines and columns in one forward pass over a text.
struct LineCounter {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 0
    private var line = 1
    private var column = 1

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// The location of `target`, which must not precede the previous target.
    mutating func location(of target: Int) -> JSONLocation {
        let end = min(target, bytes.count)
        skipLines(before: end)
        while let lineEnd = nextLineEnd(before: end) { (offset, line, column) = (lineEnd + 1, line + 1, 1) }
        while offset < end {
            if bytes[offset] & 0xC0 != 0x80 { column += 1 }
            offset += 1
        }
        return JSONLocation(offset: target, line: line, column: column)
    }

    /// Skips lines up to the one with `end`, if all of them end with LF alone: the C library finds that many times faster.
    private mutating func skipLines(before end: Int) {
        guard let base = bytes.baseAddress, offset < end, memchr(base + offset, 0x0D, end - offset) == nil else {
            return
        }
        while let lineFeed = memchr(base + offset, 0x0A, end - offset) {
            offset = UnsafeRawPointer(lineFeed) - UnsafeRawPointer(base) + 1
            (line, column) = (line + 1, 1)
        }
    }

    /// The offset of the last byte of the line at `offset`; nil if the line goes on at `end`.
    private func nextLineEnd(before end: Int) -> Int? {
        var place = offset
        while true {
            place = bytes.skip(from: place, to: end) { ByteHits($0, 0x0A) | ByteHits($0, 0x0D) }
            if place >= end { return nil }
            let isBeforeLineFeed = bytes[place] == 0x0D && place + 1 < bytes.count && bytes[place + 1] == 0x0A
            if (bytes[place] == 0x0A || bytes[place] == 0x0D) && !isBeforeLineFeed { return place }
            place += 1
        }
    }

    /// The locations of several offsets, in one pass.
    static func locations(of offsets: [Int], in bytes: UnsafeBufferPointer<UInt8>) -> [Int: JSONLocation] {
        var counter = LineCounter(bytes)
        var result: [Int: JSONLocation] = [:]
        for offset in offsets.sorted() where result[offset] == nil { result[offset] = counter.location(of: offset) }
        return result
    }
}

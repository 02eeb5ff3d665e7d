/// The spelling of a number, the contents of a string, or a key: sixteen bytes, regardless of length.
///
/// Texts of up to fourteen bytes are always `short`, so that equal bytes have equal forms. Strings with escapes keep
/// their spelling and are decoded on access; keys are decoded while parsing and are never `escaped`.
enum Text: Sendable {
    case short(ShortText)
    case slice(TextSlice)
    case escaped(TextSlice)
}

/// A range of bytes in a source.
///
/// The length has 24 bits. A longer range is a source of its own, whose length then counts: `whole`.
struct TextSlice: @unchecked Sendable {  // pages never change once shared
    let source: Source
    let offset: UInt32
    private let lowCount: UInt16
    private let highCount: UInt8

    static let whole = 0xFF_FFFF

    @inline(__always)
    init(_ source: Source, _ offset: Int, _ count: Int) {
        self.source = source
        self.offset = UInt32(truncatingIfNeeded: offset)
        lowCount = UInt16(truncatingIfNeeded: count)
        highCount = UInt8(truncatingIfNeeded: count &>> 16)
    }

    /// The whole of `source`.
    init(_ source: Source) {
        self.init(source, 0, min(source.count, TextSlice.whole))
    }

    /// The `count` bytes at `start`, which must be in `source`; a range too long for 24 bits is copied to its own
    /// source.
    @inline(__always)
    init(_ start: UnsafePointer<UInt8>, _ count: Int, in source: Source) {
        if count < TextSlice.whole {
            self.init(source, start - UnsafePointer(source.elements), count)
        } else {
            self.init(Source.exactly(UnsafeBufferPointer(start: start, count: count)))
        }
    }

    @inline(__always) var start: UnsafePointer<UInt8> { UnsafePointer(source.elements + Int(offset)) }

    @inline(__always)
    var count: Int {
        let count = Int(lowCount) | Int(highCount) &<< 16
        return count == TextSlice.whole ? source.count : count
    }

    @inline(__always)
    static func == (a: TextSlice, b: TextSlice) -> Bool {
        let count = a.count
        return count == b.count && (a.start == b.start || equalBytes(a.start, b.start, count))
    }
}

extension Text {
    static let empty = Text.short(.empty)

    /// A text in a scannable source.
    @inline(__always)
    init(_ start: UnsafePointer<UInt8>, _ count: Int, in source: Source) {
        if count <= ShortText.limit {
            self = .short(ShortText(padded: start, count))
        } else {
            self = .slice(TextSlice(start, count, in: source))
        }
    }

    /// A copy of `bytes`.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.count <= ShortText.limit {
            self = .short(ShortText(bytes))
        } else {
            self = .slice(TextSlice(Source.exactly(bytes)))
        }
    }

    init(_ string: String) {
        var string = string
        self = string.withUTF8 { Text($0) }
    }

    /// Accesses the bytes as stored: those of an `escaped` text with their escapes.
    @inline(__always)
    func withStoredBytes<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch self {
        case .short(let short):
            var words = (short.low, short.rest)
            let count = Int(short.count)
            return try withUnsafePointer(to: &words) { pointer throws(Failure) in
                try body(
                    UnsafeBufferPointer(
                        start: UnsafeRawPointer(pointer).assumingMemoryBound(to: UInt8.self), count: count))
            }
        case .slice(let slice), .escaped(let slice):
            defer { extendLifetime(slice.source) }
            return try body(UnsafeBufferPointer(start: slice.start, count: slice.count))
        }
    }

    /// Accesses the bytes with escapes decoded.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard case .escaped = self else { return withStoredBytes(body) }
        return withStoredBytes { Escapes.decoded($0) }.withUnsafeBufferPointer(body)
    }

    /// `String(decoding:as:)` validates the bytes again, which is cheap; an invalid `String` would be worse.
    var string: String {
        withBytes { String(decoding: $0, as: UTF8.self) }
    }

    var isEscaped: Bool { if case .escaped = self { true } else { false } }

    @inline(__always)
    borrowing func isShort(_ other: ShortText) -> Bool {
        if case .short(let short) = copy self { short == other } else { false }
    }

    /// Whether this has the bytes of a string, and no escapes.
    @inline(__always)
    borrowing func isSpelled(_ string: String) -> Bool {
        switch copy self {
        case .short(let short): ShortText(string).map { $0 == short } ?? false
        case .slice(let slice): Text.slice(slice).hasSameBytes(string)
        case .escaped: false
        }
    }

    private func hasSameBytes(_ string: String) -> Bool {
        withStoredBytes { mine in
            let isSame = string.utf8.withContiguousStorageIfAvailable { theirs in
                mine.count == theirs.count && equalBytes(mine.baseAddress!, theirs.baseAddress!, mine.count)
            }
            return isSame ?? mine.elementsEqual(string.utf8)
        }
    }

    /// Whether two texts have the same stored bytes: exact for keys and for the spelling of numbers.
    @inline(__always)
    static func sameBytes(_ a: borrowing Text, _ b: borrowing Text) -> Bool {
        switch (copy a, copy b) {
        case (.short(let a), .short(let b)): a == b
        case (.slice(let a), .slice(let b)), (.escaped(let a), .escaped(let b)): a == b
        default: false
        }
    }

    /// Whether two texts denote the same string: `"\u0041"` and `"A"` do.
    static func sameString(_ a: Text, _ b: Text) -> Bool {
        if sameBytes(a, b) { return true }
        guard a.isEscaped || b.isEscaped else { return false }
        return a.withBytes { left in b.withBytes { right in left.elementsEqual(right) } }
    }

    /// Orders by bytes, which for UTF-8 is the order of the Unicode scalars.
    static func precedes(_ a: Text, _ b: Text) -> Bool {
        if case .short(let a) = a, case .short(let b) = b { return ShortText.precedes(a, b) }
        return bytesPrecede(a, b)
    }

    @inline(never)
    private static func bytesPrecede(_ a: Text, _ b: Text) -> Bool {
        a.withBytes { left in b.withBytes { right in precedes(left, right) } }
    }

    private static func precedes(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let left = UnsafeRawPointer(a.baseAddress), let right = UnsafeRawPointer(b.baseAddress) else {
            return a.count < b.count
        }
        let count = min(a.count, b.count)
        var index = 0
        while index &+ 8 <= count {
            let x = UInt64(bigEndian: left.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let y = UInt64(bigEndian: right.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            if x != y { return x < y }
            index &+= 8
        }
        while index < count {
            if a[index] != b[index] { return a[index] < b[index] }
            index &+= 1
        }
        return a.count < b.count
    }
}

@inline(__always)
func equalBytes(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let (left, right) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
    var index = 0
    while index &+ 8 <= count {
        let x = left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let y = right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        if x != y { return false }
        index &+= 8
    }
    while index < count {
        if a[index] != b[index] { return false }
        index &+= 1
    }
    return true
}

/// The bytes that texts are slices of: a whole file, or the strings that a reload copied.
typealias Source = Page<UInt8>

extension Page where Element == UInt8 {
    /// The number of zeros after the bytes of a scannable source, since a scanner loads eight or sixteen bytes at a
    /// time. The zeros also terminate each of its loops, as none of them is part of a JSON token.
    static var padding: Int { 32 }

    /// A source with memory for `capacity` bytes and the zeros after them.
    static func scannable(capacity: Int) -> Source {
        unsafeDowncast(Source.create(minimumCapacity: capacity + padding) { _ in 0 }, to: Source.self)
    }

    /// Ends a source whose first `count` bytes have been written: a scanner can read it.
    func endScannable(at count: Int) {
        (elements + count).initialize(repeating: 0, count: Source.padding)
        withUnsafeMutablePointerToHeader { $0.pointee = count }
    }

    /// A padded copy of `bytes` that a scanner can read, between two literals.
    static func scannable(
        _ bytes: UnsafeRawBufferPointer, after prefix: StaticString = "", before suffix: StaticString = ""
    ) -> Source {
        let parts = (prefix.utf8CodeUnitCount, bytes.count, suffix.utf8CodeUnitCount)
        let source = Source.scannable(capacity: parts.0 + parts.1 + parts.2)
        let start = UnsafeMutableRawPointer(source.elements)
        start.copyMemory(from: prefix.utf8Start, byteCount: parts.0)
        if let from = bytes.baseAddress { (start + parts.0).copyMemory(from: from, byteCount: parts.1) }
        (start + parts.0 + parts.1).copyMemory(from: suffix.utf8Start, byteCount: parts.2)
        source.endScannable(at: parts.0 + parts.1 + parts.2)
        return source
    }

    /// A copy of `bytes` without padding, for strings that did not come from a file.
    static func exactly(_ bytes: UnsafeBufferPointer<UInt8>) -> Source {
        Source.make(bytes.count) { start in
            if let from = bytes.baseAddress { start.initialize(from: from, count: bytes.count) }
        }
    }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: elements, count: count) }
}

/// The spelling of a number, the contents of a string, or a key: sixteen bytes, whatever its length.
///
/// Up to fourteen bytes are always `short`, so that equal bytes have equal forms. Strings that were written with
/// escapes stay as they were written and are decoded when asked for; keys are decoded while parsing, and are never
/// `escaped`.
enum Text: Sendable {
    case short(ShortText)
    case slice(TextSlice)
    case escaped(TextSlice)
}

/// A run of bytes in a source.
///
/// The length has 24 bits. A longer run is a source of its own, whose length then counts: `whole`.
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

    /// All of `source`.
    init(_ source: Source) {
        self.init(source, 0, min(source.count, TextSlice.whole))
    }

    /// `count` bytes at `start`, which lies in `source`; too many for 24 bits are copied to a source of their own.
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

    /// A text of a scannable source.
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

    /// The bytes as they are stored: of an `escaped` text the escapes.
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

    /// The bytes that are meant, escapes decoded.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard case .escaped = self else { return withStoredBytes(body) }
        return withStoredBytes { Escapes.decoded($0) }.withUnsafeBufferPointer(body)
    }

    /// `String(decoding:as:)` checks the bytes once more: that is cheap, and a wrong `String` is not.
    var string: String {
        withBytes { String(decoding: $0, as: UTF8.self) }
    }

    var isEscaped: Bool { if case .escaped = self { true } else { false } }

    @inline(__always)
    borrowing func isShort(_ other: ShortText) -> Bool {
        if case .short(let short) = copy self { short == other } else { false }
    }

    /// The same stored bytes: exact for keys and for the spelling of numbers.
    @inline(__always)
    static func sameBytes(_ a: borrowing Text, _ b: borrowing Text) -> Bool {
        switch (copy a, copy b) {
        case (.short(let a), .short(let b)): a == b
        case (.slice(let a), .slice(let b)), (.escaped(let a), .escaped(let b)): a == b
        default: false
        }
    }

    /// The same string: `"\u0041"` and `"A"` are.
    static func sameString(_ a: Text, _ b: Text) -> Bool {
        if sameBytes(a, b) { return true }
        guard a.isEscaped || b.isEscaped else { return false }
        return a.withBytes { left in b.withBytes { right in left.elementsEqual(right) } }
    }

    /// Orders by bytes, which for UTF-8 is the order of the scalars.
    static func precedes(_ a: Text, _ b: Text) -> Bool {
        a.withBytes { left in b.withBytes { right in left.lexicographicallyPrecedes(right) } }
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

/// Up to fourteen bytes, stored inline.
///
/// Bytes 0…7 are `low`, 8…11 `middle`, 12 and 13 `high`. Unused bytes are zero, so two short texts are equal if their
/// words are. The fields end at byte 15, which leaves room for the tags of the enclosing enums: a ``JSON`` is sixteen
/// bytes.
struct ShortText: Sendable {
    var low: UInt64
    var middle: UInt32
    var high: UInt16
    var count: UInt8

    static let limit = 14
    static let empty = ShortText(low: 0, rest: 0, count: 0)

    @inline(__always)
    private init(low: UInt64, rest: UInt64, count: Int) {
        self.low = low
        middle = UInt32(truncatingIfNeeded: rest)
        high = UInt16(truncatingIfNeeded: rest &>> 32)
        self.count = UInt8(truncatingIfNeeded: count)
    }

    /// Loads sixteen bytes and keeps `count`: only for texts in a scannable source, which is padded.
    ///
    /// Lengths are unpredictable, so there is no branch on them: Swift's `>>` yields 0 when it shifts everything out.
    @inline(__always)
    init(padded start: UnsafePointer<UInt8>, _ count: Int) {
        let raw = UnsafeRawPointer(start)
        let low = raw.loadUnaligned(as: UInt64.self)
        let rest = raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        self.init(
            low: low & (UInt64.max >> UInt64(max(0, 8 &- count) &* 8)),
            rest: rest & (UInt64.max >> UInt64((16 &- max(8, count)) &* 8)),
            count: count)
    }

    /// Reads the `count` bytes at `start` and none after them.
    @inline(__always)
    init(exactly start: UnsafePointer<UInt8>, _ count: Int) {
        let raw = UnsafeRawPointer(start)
        var low: UInt64 = 0
        var rest: UInt64 = 0
        if count >= 8 {
            low = raw.loadUnaligned(as: UInt64.self)
            if count > 8 {
                let tail = raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
                rest = tail &>> UInt64((16 &- count) &* 8)
            }
        } else if count >= 4 {
            let tail = UInt64(raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            low = UInt64(raw.loadUnaligned(as: UInt32.self)) | tail &<< UInt64((count &- 4) &* 8)
        } else if count > 0 {
            // One to three bytes: the first, middle and last, some of them the same byte.
            low = UInt64(start[0])
            low |= UInt64(start[count &>> 1]) &<< UInt64((count &>> 1) &* 8)
            low |= UInt64(start[count &- 1]) &<< UInt64((count &- 1) &* 8)
        }
        self.init(low: low, rest: rest, count: count)
    }

    /// Copies `bytes`, at most fourteen.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else {
            self = .empty
            return
        }
        self.init(exactly: start, bytes.count)
    }

    /// The bytes of `string`; nil if there are more than fit.
    @inline(__always)
    init?(_ string: String) {
        let short = string.utf8.withContiguousStorageIfAvailable { $0.count > Self.limit ? nil : ShortText($0) }
        guard let short = short ?? Self.copying(string) else { return nil }
        self = short
    }

    @inline(never)
    private static func copying(_ string: String) -> ShortText? {
        string.utf8.count > limit ? nil : Array(string.utf8).withUnsafeBufferPointer { ShortText($0) }
    }

    /// The decimal digits of `integer`; nil if there are more than fit.
    init?(digitsOf integer: Int) {
        var magnitude = integer.magnitude
        guard magnitude < 10_000_000_000_000 else { return nil }
        var (low, rest, count): (UInt64, UInt64, Int) = (0, 0, 0)
        // From the last to the first: each moves those after it by a byte.
        func prepend(_ byte: UInt64) {
            rest = rest &<< 8 | low &>> 56
            low = low &<< 8 | byte
            count &+= 1
        }
        repeat {
            prepend(UInt64(UInt8(ascii: "0")) &+ UInt64(magnitude % 10))
            magnitude /= 10
        } while magnitude > 0
        if integer < 0 { prepend(UInt64(UInt8(ascii: "-"))) }
        self.init(low: low, rest: rest, count: count)
    }

    /// Bytes 8…13 and the length: together with `low`, the complete text.
    @inline(__always)
    var rest: UInt64 { UInt64(middle) | UInt64(high) &<< 32 | UInt64(count) &<< 48 }

    /// Compares bytes as numbers. The length, which follows them in `rest`, decides if one text has zeros where the other one
    /// has ended.
    @inline(__always)
    static func precedes(_ a: ShortText, _ b: ShortText) -> Bool {
        a.low == b.low ? a.rest.bigEndian < b.rest.bigEndian : a.low.bigEndian < b.low.bigEndian
    }

    @inline(__always)
    static func == (a: ShortText, b: ShortText) -> Bool { a.low == b.low && a.rest == b.rest }
}

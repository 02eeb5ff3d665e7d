internal import Glibc

/// What differs between two versions of a text: everything between their common beginning and their common end.
struct TextDifference {
    /// The bytes that the new version replaces.
    let old: Range<Int>
    /// The length of the new version minus that of the old one.
    let growth: Int

    private typealias Bytes = UnsafePointer<UInt8>

    init(from old: UnsafeRawBufferPointer, to new: UnsafeRawBufferPointer) {
        let shorter = min(old.count, new.count)
        let (mine, theirs) = (old.bindMemory(to: UInt8.self), new.bindMemory(to: UInt8.self))
        var (start, end) = (0, 0)
        if let mine = mine.baseAddress, let theirs = theirs.baseAddress {
            start = TextDifference.commonPrefix(mine, theirs, shorter)
            end = TextDifference.commonSuffix(mine + old.count, theirs + new.count, shorter - start)
        }
        self.old = start..<old.count - end
        growth = new.count - old.count
    }

    /// How many bytes are compared at once.
    private static let block = 4_096

    private static func commonPrefix(_ a: Bytes, _ b: Bytes, _ limit: Int) -> Int {
        var count = 0
        while count + block <= limit, memcmp(a + count, b + count, block) == 0 { count += block }
        while count + 8 <= limit {
            let others = word(a + count) ^ word(b + count)
            if others != 0 { return count + others.trailingZeroBitCount / 8 }
            count += 8
        }
        while count < limit, a[count] == b[count] { count += 1 }
        return count
    }

    /// Counts backwards from the ends `a` and `b`.
    private static func commonSuffix(_ a: Bytes, _ b: Bytes, _ limit: Int) -> Int {
        var count = 0
        while count + block <= limit, memcmp(a - count - block, b - count - block, block) == 0 { count += block }
        while count + 8 <= limit {
            let others = word(a - count - 8) ^ word(b - count - 8)
            if others != 0 { return count + others.leadingZeroBitCount / 8 }
            count += 8
        }
        while count < limit, a[-count - 1] == b[-count - 1] { count += 1 }
        return count
    }

    @inline(__always)
    private static func word(_ p: Bytes) -> UInt64 { UnsafeRawPointer(p).loadUnaligned(as: UInt64.self) }
}

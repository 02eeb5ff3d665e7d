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

    private init(_ old: Range<Int>, growth: Int) { (self.old, self.growth) = (old, growth) }

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

extension TextDifference {
    /// The least number of bytes that both versions have in common between two parts: parsing fewer takes less than
    /// beginning another part.
    private static let gap = 4_096
    /// How many bytes must be the same to be taken for the same place in both versions.
    private static let stretch = 64
    /// The largest distance behind a change at which such bytes are looked for.
    private static let farthest = 16_384
    /// The largest part that is looked for: if there is a change in each few kilobytes of more than that, finding them
    /// all could take as long as parsing everything.
    private static let largest = 32_768

    /// The parts of this difference that lie far from each other, in the order of the text; only itself if one of them
    /// would be large.
    ///
    /// All that is outside the parts is the same in both versions. Which places correspond is found by trying, so that
    /// parts may be larger than what was edited.
    func parts(from old: UnsafeRawBufferPointer, to new: UnsafeRawBufferPointer) -> [TextDifference] {
        if self.old.count <= Self.gap { return [self] }
        let mine = UnsafeRawBufferPointer(rebasing: old[..<self.old.upperBound])
        let theirs = UnsafeRawBufferPointer(rebasing: new[..<(self.old.upperBound + growth)])
        let (mineBytes, theirBytes) = (
            mine.bindMemory(to: UInt8.self).baseAddress!, theirs.bindMemory(to: UInt8.self).baseAddress!
        )
        var parts: [TextDifference] = []
        var (begin, newBegin) = (self.old.lowerBound, self.old.lowerBound)
        var (here, there) = (begin, newBegin)
        // Together the searches take no longer than a pass, whatever the text is.
        var searchable = self.old.count + 4 * Self.farthest
        while let (end, newEnd) = TextDifference.nextStretch(mine, here, theirs, there, &searchable) {
            let length = TextDifference.commonPrefix(
                mineBytes + end, theirBytes + newEnd, min(mine.count - end, theirs.count - newEnd))
            (here, there) = (end + length, newEnd + length)
            if end - begin > Self.largest || searchable < 0 { return [self] }
            if length < Self.gap { continue }
            parts.append(TextDifference(begin..<end, growth: newEnd - newBegin - (end - begin)))
            (begin, newBegin) = (here, there)
        }
        parts.append(TextDifference(begin..<mine.count, growth: theirs.count - newBegin - (mine.count - begin)))
        return parts
    }

    /// Where a stretch that both versions have in common begins in each, near a change at these offsets; nil if none
    /// is near.
    private static func nextStretch(
        _ old: UnsafeRawBufferPointer, _ here: Int, _ new: UnsafeRawBufferPointer, _ there: Int,
        _ searchable: inout Int
    ) -> (old: Int, new: Int)? {
        var distance = 8
        while distance <= farthest, here + distance + stretch <= old.count, searchable >= 0 {
            let window = new[there..<min(new.count, there + 2 * distance + 4 * stretch)]
            let sought = old[(here + distance)..<(here + distance + stretch)]
            if let found = offset(of: sought, in: window, guess: distance) {
                var (end, newEnd) = (here + distance, found)
                while end > here, newEnd > there, old[end - 1] == new[newEnd - 1] {
                    (end, newEnd) = (end - 1, newEnd - 1)
                }
                searchable -= newEnd - there
                return (end, newEnd)
            }
            searchable -= window.count
            distance *= 2
        }
        return nil
    }

    /// The offset of a stretch in the text that a window shows: `guess` bytes behind its start, or else the first one.
    private static func offset(
        of stretch: Slice<UnsafeRawBufferPointer>, in window: Slice<UnsafeRawBufferPointer>, guess: Int
    ) -> Int? {
        let last = window.count - stretch.count
        guard last >= 0, let sought = UnsafeRawBufferPointer(rebasing: stretch).baseAddress,
            let bytes = UnsafeRawBufferPointer(rebasing: window).baseAddress
        else { return nil }
        let begin = sought.loadUnaligned(as: UInt64.self)
        func isAt(_ offset: Int) -> Bool {
            (bytes + offset).loadUnaligned(as: UInt64.self) == begin
                && memcmp(bytes + offset, sought, stretch.count) == 0
        }
        let offset = guess <= last && isAt(guess) ? guess : (0...last).first(where: isAt)
        return offset.map { window.startIndex + $0 }
    }
}

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
    private static let gap = 1_024
    /// How many bytes must be the same to be taken for the same place in both versions: many items may be alike.
    private static let stretch = 256
    /// By how many bytes most changes move what follows.
    private static let few = 16
    /// The smallest and the largest distance behind a change at which such bytes are looked for.
    private static let (nearest, farthest) = (64, 8_192)
    /// How many changes that lie near to each other a part may have: with more, finding them all could take as long as
    /// parsing everything.
    private static let mostChanges = 64

    /// The parts of this difference that lie far from each other, in the order of the text; only itself if finding them
    /// would take long.
    ///
    /// All that is outside the parts is the same in both versions. Which places correspond is found by trying, so that
    /// parts may be larger than what was edited.
    func parts(from old: UnsafeRawBufferPointer, to new: UnsafeRawBufferPointer) -> [TextDifference] {
        if self.old.count <= Self.gap { return [self] }
        // Together the searches take no longer than a pass, whatever the text is.
        var search = PartSearch(
            UnsafeRawBufferPointer(rebasing: old[..<self.old.upperBound]),
            UnsafeRawBufferPointer(rebasing: new[..<(self.old.upperBound + growth)]),
            remaining: self.old.count + 4 * Self.farthest)
        var parts: [TextDifference] = []
        var (begin, newBegin) = (self.old.lowerBound, self.old.lowerBound)
        var (here, there, changes) = (begin, newBegin, 1)
        while let common = search.commonBytes(after: here, there) {
            (here, there) = (common.start + common.count, common.newStart + common.count)
            if common.count < Self.gap {
                changes += 1
                if changes > Self.mostChanges { return [self] }
                continue
            }
            parts.append(
                TextDifference(begin..<common.start, growth: common.newStart - newBegin - (common.start - begin)))
            (begin, newBegin, changes) = (here, there, 1)
        }
        if search.remaining < 0 { return [self] }
        let rest = begin..<self.old.upperBound
        parts.append(TextDifference(rest, growth: self.old.upperBound + growth - newBegin - rest.count))
        return parts
    }

    private typealias CommonBytes = (start: Int, newStart: Int, count: Int)

    /// Looks for what two versions have in common between parts that differ.
    private struct PartSearch {
        private let (old, new): (Bytes, Bytes)
        private let (count, newCount): (Int, Int)
        /// The number of bytes that may still be compared.
        private(set) var remaining: Int

        init(_ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer, remaining: Int) {
            self.old = old.bindMemory(to: UInt8.self).baseAddress!
            self.new = new.bindMemory(to: UInt8.self).baseAddress!
            (count, newCount, self.remaining) = (old.count, new.count, remaining)
        }

        /// The first bytes behind a change at these offsets that both versions have in common; nil if there are none near.
        mutating func commonBytes(after begin: Int, _ newBegin: Int) -> CommonBytes? {
            // First in the same places: of many items that are alike, others would be found elsewhere. Then near to them:
            // most changes move what follows by a few bytes.
            commonBytes(after: begin, newBegin, movedBy: 0)
                ?? commonBytes(after: begin, newBegin, movedBy: TextDifference.few)
                ?? commonBytes(after: begin, newBegin, movedBy: .max)
        }

        private mutating func commonBytes(after begin: Int, _ newBegin: Int, movedBy most: Int) -> CommonBytes? {
            var distance = TextDifference.nearest
            while distance <= TextDifference.farthest, begin + distance + 8 <= count, remaining >= 0 {
                let (place, newPlace) = (begin + distance, newBegin + distance)
                let reach = min(most, distance + TextDifference.stretch)
                // The nearest first.
                for shift in 0...reach where remaining >= 0 {
                    if let found = commonBytes(at: place, newPlace + shift, after: begin, newBegin) { return found }
                    if shift > 0, shift <= distance,
                        let found = commonBytes(at: place, newPlace - shift, after: begin, newBegin)
                    {
                        return found
                    }
                }
                remaining -= 2 * reach
                distance *= 2
            }
            return nil
        }

        /// The bytes that both versions have in common at and before these offsets; nil if they are few.
        @inline(__always)
        private mutating func commonBytes(
            at place: Int, _ newPlace: Int, after begin: Int, _ newBegin: Int
        ) -> CommonBytes? {
            guard newPlace + 8 <= newCount, TextDifference.word(old + place) == TextDifference.word(new + newPlace)
            else { return nil }
            let length = TextDifference.commonPrefix(
                old + place, new + newPlace, min(count - place, newCount - newPlace))
            if length < TextDifference.stretch {
                remaining -= length
                return nil
            }
            var (start, newStart) = (place, newPlace)
            while start > begin, newStart > newBegin, old[start - 1] == new[newStart - 1] {
                (start, newStart) = (start - 1, newStart - 1)
            }
            return (start, newStart, length + place - start)
        }
    }
}

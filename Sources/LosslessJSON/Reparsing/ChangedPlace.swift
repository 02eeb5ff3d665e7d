/// A place of a text that differs from the version before: the smallest run of items that contains one or more
/// neighboring parts of the difference.
struct ChangedPlace {
    let items: ChangedItems
    /// By how many bytes the text before the items has grown.
    private let offset: Int
    /// By how many bytes the items have grown.
    private(set) var growth: Int
    /// How many items the new version has more.
    var itemGrowth = 0
    /// The bytes of the parts in the old version, and a walk that has advanced to their start.
    private var parts: Range<Int>
    private let start: ItemWalk

    /// The bytes in the new version between what comes before and after the items.
    var newBytes: Range<Int> { items.bytes.lowerBound + offset..<items.bytes.upperBound + offset + growth }

    /// How often the items of two places may turn out to overlap: each time they are walked through again.
    private static let mostOverlaps = 8

    /// The places that contain all parts of a difference, and have no byte in common; nil if no container contains one of
    /// the parts, or after too many attempts. Adds to the marks of the text.
    static func all(
        containing parts: [TextDifference], in text: UnsafeBufferPointer<UInt8>, _ marks: inout PositionMarks
    ) -> [ChangedPlace]? {
        var (places, overlaps) = ([ChangedPlace](), 0)
        var walk = ItemWalk(text, from: nil)
        for part in parts {
            if let last = places.indices.last, part.old.upperBound <= places[last].items.bytes.upperBound {
                places[last].add(part)
                continue
            }
            let mark = marks.last(upTo: part.old.lowerBound)
            if let mark, mark.offset > walk.cursor.offset { walk = ItemWalk(text, from: mark) }
            walk.advance(to: part.old.lowerBound, &marks)
            var (old, start, growth) = (part.old, walk, part.growth)
            guard var items = ChangedItems(containing: old, from: start, in: text) else { return nil }
            // The bracket or comma between two places must be outside both.
            while let last = places.last, items.bytes.lowerBound <= last.items.bytes.upperBound {
                places.removeLast()
                overlaps += 1
                (old, start, growth) = (last.parts.lowerBound..<old.upperBound, last.start, last.growth + growth)
                guard overlaps <= mostOverlaps, let all = ChangedItems(containing: old, from: start, in: text) else {
                    return nil
                }
                items = all
            }
            let offset = places.last.map { $0.offset + $0.growth } ?? 0
            places.append(ChangedPlace(items: items, offset: offset, growth: growth, parts: old, start: start))
        }
        return places
    }

    /// Adds a part that the items contain.
    private mutating func add(_ part: TextDifference) {
        growth += part.growth
        parts = parts.lowerBound..<part.old.upperBound
    }
}

/// Places in a valid text where a walk over its containers can begin, some kilobytes apart.
///
/// They are found by the walks themselves, so that they reach as far as the text has been walked, and are kept from
/// version to version.
struct PositionMarks: Sendable {
    struct Entry: Sendable {
        var offset: Int
        /// The containers that are open there, from the root on.
        var containers: [ItemWalk.OpenContainer]
    }

    private var marks: [Entry] = []
    /// The offset from which the next mark may be added.
    private(set) var end = distance

    private static let distance = 8 << 10
    /// The largest number of open containers at a mark: places in deeper nesting would take more memory than the text.
    private static let deepest = 32

    mutating func add(_ offset: Int, _ containers: [ItemWalk.OpenContainer]) {
        if containers.count > Self.deepest { return }
        marks.append(Entry(offset: offset, containers: containers))
        end = offset + Self.distance
    }

    /// The last mark that is not after `offset`; nil if there is none.
    func last(upTo offset: Int) -> Entry? {
        let count = count(upTo: offset)
        return count > 0 ? marks[count - 1] : nil
    }

    private func count(upTo offset: Int) -> Int {
        var range = 0..<marks.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = marks[middle].offset <= offset ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    /// The marks of a version that has the same text up to `offset`.
    func upTo(_ offset: Int) -> PositionMarks {
        var result = self
        result.marks.removeSubrange(count(upTo: offset)...)
        result.end = (result.marks.last?.offset ?? 0) + Self.distance
        return result
    }

    /// The marks of the version in which items have changed.
    ///
    /// - Parameters:
    ///   - growth: By how many bytes the text has grown.
    ///   - itemGrowth: How many items the container of these has more than before.
    func moved(by changed: ChangedItems, growth: Int, itemGrowth: Int) -> PositionMarks {
        var result = upTo(changed.bytes.lowerBound)
        // Marks are only added behind the last one, so that a large gap would stay.
        if changed.bytes.count + growth > 2 * Self.distance { return result }
        let depth = changed.path.count
        for mark in marks[count(upTo: changed.bytes.upperBound)...] {
            var mark = mark
            mark.offset += growth
            for place in mark.containers.indices where mark.containers[place].start > changed.bytes.lowerBound {
                mark.containers[place].start += growth
            }
            let isInContainer =
                mark.containers.count > depth && zip(mark.containers, changed.path).allSatisfy { $0.item == $1 }
            if isInContainer { mark.containers[depth].item += itemGrowth }
            result.add(mark.offset, mark.containers)
        }
        return result
    }
}

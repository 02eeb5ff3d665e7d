/// Places in a valid text where a walk over its containers can begin, some kilobytes apart: each right after the bracket
/// or comma before an item.
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
    /// In the order of the text.
    var all: [Entry] { marks }
    /// The offset from which the next mark may be added.
    private(set) var end = distance

    /// A text that is not longer has no marks.
    static let distance = 4 << 10
    /// The largest number of open containers at a mark: places in deeper nesting would take more memory than the text.
    static let deepest = 32

    mutating func add(_ offset: Int, _ containers: [ItemWalk.OpenContainer]) {
        if containers.count > Self.deepest { return }
        marks.append(Entry(offset: offset, containers: containers))
        end = offset + Self.distance
    }

    var isEmpty: Bool { marks.isEmpty }

    /// The last mark that is not after `offset`; nil if there is none.
    func last(upTo offset: Int) -> Entry? { last(count(upTo: offset)) }

    /// The last mark before the item to which positions lead from the root; nil if there is none.
    func last(beforeItemAt path: [Int]) -> Entry? { last(marks.count(whileTrue: { $0.precedes(path) })) }

    private func last(_ count: Int) -> Entry? { count > 0 ? marks[count - 1] : nil }

    private func count(upTo offset: Int) -> Int { marks.count(whileTrue: { $0.offset <= offset }) }

    /// The marks of a version that has the same text up to `offset`.
    func upTo(_ offset: Int) -> PositionMarks {
        var result = self
        result.marks.removeSubrange(count(upTo: offset)...)
        result.end = (result.marks.last?.offset ?? 0) + Self.distance
        return result
    }

    /// The marks of the version in which neighboring items of a container have been replaced by others.
    ///
    /// - Parameters:
    ///   - bytes: Contains the items and nothing of others, and may contain what separates them from those.
    ///   - growth: By how many bytes the text has grown.
    ///   - path: The positions that lead to the container.
    ///   - itemGrowth: How many items the container has more than before.
    func moved(
        bySplice bytes: Range<Int>, growth: Int, inContainerAt path: [Int], itemGrowth: Int
    ) -> PositionMarks {
        // The next item may follow another comma or bracket than before, so that the places in it are unknown.
        func isInNextItem(_ mark: Entry) -> Bool {
            guard mark.offset > bytes.lowerBound, let place = mark.place(in: path) else { return false }
            return bytes.lowerBound <= place.start && place.start <= bytes.upperBound
        }
        var kept = self
        // Removing none would copy them, too.
        if marks.contains(where: isInNextItem) { kept.marks.removeAll(where: isInNextItem) }
        // A mark at the end of the items would be before a bracket, after a comma that may be gone.
        var result = kept.moved(by: [(bytes.lowerBound..<bytes.upperBound + 1, growth)])
        if itemGrowth == 0 { return result }
        for number in result.count(upTo: bytes.lowerBound)..<result.marks.count {
            if result.marks[number].place(in: path) != nil {
                result.marks[number].containers[path.count].item += itemGrowth
            }
        }
        return result
    }

    /// The marks of the version in which places have changed.
    func moved(by places: [ChangedPlace]) -> PositionMarks {
        if places.count <= Self.fewPlaces {
            return places.reversed().reduce(self) { marks, place in
                marks.moved(
                    bySplice: place.items.bytes, growth: place.growth, inContainerAt: place.items.path,
                    itemGrowth: place.itemGrowth)
            }
        }
        if places.contains(where: { $0.itemGrowth != 0 }) { return upTo(places[0].items.bytes.lowerBound) }
        return moved(by: places.map { ($0.items.bytes.lowerBound..<$0.items.bytes.upperBound + 1, $0.growth) })
    }

    /// The largest number of places for which the marks are moved one by one.
    private static let fewPlaces = 8

    /// The marks of the version in which ranges of the text have been replaced. Of the containers that are open at a mark
    /// behind a range, none may begin an item in it. The ranges are in order, with the number of bytes by which each has
    /// grown.
    func moved(by changes: [(bytes: Range<Int>, growth: Int)]) -> PositionMarks {
        var result = upTo(changes.first?.bytes.lowerBound ?? .max)
        // By how many bytes the text has grown up to and with each change.
        var growths: [Int] = [0]
        for change in changes { growths.append(growths.last! + change.growth) }
        var next = 0
        for var mark in marks[result.marks.count...] {
            while next < changes.count, changes[next].bytes.upperBound <= mark.offset { next += 1 }
            if next < changes.count, changes[next].bytes.lowerBound < mark.offset { continue }
            mark.offset += growths[next]
            // Marks are only added behind the last one, so that a large gap would stay.
            if mark.offset - (result.marks.last?.offset ?? 0) > 3 * Self.distance { return result }
            for place in mark.containers.indices {
                let start = mark.containers[place].start
                let growth = growths[changes.count(whileTrue: { $0.bytes.upperBound <= start })]
                // Writing would copy the array.
                if growth != 0 { mark.containers[place].start += growth }
            }
            result.add(mark.offset, mark.containers)
        }
        return result
    }
}

extension PositionMarks.Entry {
    /// The place of the mark in the container to which positions lead from the root; nil if it is not in there.
    func place(in path: [Int]) -> ItemWalk.OpenContainer? {
        guard containers.count > path.count, zip(containers, path).allSatisfy({ $0.item == $1 }) else { return nil }
        return containers[path.count]
    }

    /// Whether the mark is before the item to which positions lead from the root, and not in it.
    fileprivate func precedes(_ path: [Int]) -> Bool {
        for (container, position) in zip(containers, path) where container.item != position {
            return container.item < position
        }
        return containers.count < path.count
    }
}

extension Array {
    /// The number of elements for which `condition` is true, which are the first ones.
    fileprivate func count(whileTrue condition: (Element) -> Bool) -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = condition(self[middle]) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

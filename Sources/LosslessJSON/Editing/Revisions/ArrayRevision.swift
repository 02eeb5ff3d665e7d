/// What becomes of the elements of an array.
final class ArrayRevision {
    enum Element {
        /// The element that had this index.
        case original(Int)
        case inserted(JSON)
    }

    let original: JSONArray

    /// What becomes of elements that stay, by the index they had.
    private(set) var changed: [Int: Revision] = [:]

    /// The new order; nil while every element is where it was.
    private var order: SplitArray<Element>?

    init(_ original: JSONArray) { self.original = original }

    init(from old: JSONArray, to new: JSONArray) {
        original = old
        guard old.count != new.count else {
            old.forEachUnsharedPair(with: new) { index, before, after in
                changed[index] = Revision(from: before, to: after)
            }
            return
        }
        let middle = JSONArray.Middle(from: old, to: new)
        let before = (0..<middle.old.lowerBound).map(Element.original)
        let behind = (middle.old.upperBound..<old.count).map(Element.original)
        order = SplitArray(before + revised(middle, from: old, to: new) + behind)
    }

    private func revised(_ middle: JSONArray.Middle, from old: JSONArray, to new: JSONArray) -> [Element] {
        if let removed = middle.removed {
            let gone = Set(removed)
            return middle.old.filter { !gone.contains($0) }.map(Element.original)
        }
        if let inserted = middle.inserted {
            let fresh = Set(inserted)
            var kept = middle.old.lowerBound
            return middle.new.map { index in
                if fresh.contains(index) { return .inserted(new[index]) }
                defer { kept += 1 }
                return .original(kept)
            }
        }
        let pairedEnd = min(middle.old.upperBound, middle.new.upperBound)
        let paired = middle.old.lowerBound..<pairedEnd
        for index in paired { changed[index] = Revision(from: old[index], to: new[index]) }
        return paired.map(Element.original) + (pairedEnd..<middle.new.upperBound).map { .inserted(new[$0]) }
    }

    var isEmpty: Bool { changed.isEmpty && order == nil }

    /// The new order, where elements came or went.
    var newOrder: [Element]? { order?.all }

    var elements: JSONArray {
        guard let order else {
            var elements = original
            for (index, revision) in changed { elements[index] = revision.applied(to: original[index]) }
            return elements
        }
        return JSONArray(
            order.all.map { element in
                switch element {
                case .original(let index): changed[index]?.applied(to: original[index]) ?? original[index]
                case .inserted(let value): value
                }
            })
    }

    private var count: Int { order?.count ?? original.count }

    /// Makes a change to the element that has an index now, or below it.
    func apply(_ step: Step, at token: String) throws(JSONEditError) {
        guard let index = JSONPointer.index(token) else { throw step.error(.missing) }
        if step.isAtEnd, step.change.kind == .added {
            guard index <= count else { throw step.error(.missing) }
            return reorder { $0.insert(.inserted(step.change.new!), at: index) }
        }
        guard index < count else { throw step.error(.missing) }
        if step.isAtEnd, step.change.kind == .removed {
            if case .original(let place) = order?[index] ?? .original(index) { changed[place] = nil }
            return reorder { $0.remove(at: index) }
        }
        switch order?[index] ?? .original(index) {
        case .original(let place):
            var revision = changed[place]
            try revision.apply(step, to: original[place])
            changed[place] = revision
        case .inserted(let value): order![index] = .inserted(try value.applying(step))
        }
    }

    private func reorder(_ body: (inout SplitArray<Element>) -> Void) {
        if order == nil { order = SplitArray(original.indices.map(Element.original)) }
        body(&order!)
    }

    func mapNewValues(depth: Int, _ change: (JSON, Int) -> JSON) {
        for index in changed.indices { changed.values[index].mapNewValues(depth: depth, change) }
        guard let order else { return }
        self.order = SplitArray(
            order.all.map { if case .inserted(let value) = $0 { .inserted(change(value, depth)) } else { $0 } })
    }
}

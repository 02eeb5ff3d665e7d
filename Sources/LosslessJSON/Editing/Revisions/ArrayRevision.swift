/// The pending changes to the elements of an array.
final class ArrayRevision {
    enum Element {
        /// The element that was at this index originally.
        case original(Int)
        case inserted(JSON)

        func isOriginal(_ index: Int) -> Bool {
            if case .original(index) = self { true } else { false }
        }
    }

    let original: JSONArray

    /// Changes to elements that remain, by original index.
    private(set) var changed: [Int: Revision] = [:]

    /// The elements as they are now; nil if none was inserted or removed.
    private var reordered: GapBuffer<Element>?

    init(_ original: JSONArray) { self.original = original }

    init(from old: JSONArray, to new: JSONArray) {
        original = old
        guard old.count != new.count else {
            old.forEachUnsharedPair(with: new) { index, before, after in
                changed[index] = Revision(from: before, to: after)
            }
            return
        }
        let splice = JSONArray.Splice(from: old, to: new)
        let before = (0..<splice.old.lowerBound).map(Element.original)
        let after = (splice.old.upperBound..<old.count).map(Element.original)
        reordered = GapBuffer(before + revised(splice, from: old, to: new) + after)
    }

    private func revised(_ splice: JSONArray.Splice, from old: JSONArray, to new: JSONArray) -> [Element] {
        if let removed = splice.removed {
            let removedIndices = Set(removed)
            return splice.old.filter { !removedIndices.contains($0) }.map(Element.original)
        }
        if let inserted = splice.inserted {
            let insertedIndices = Set(inserted)
            var kept = splice.old.lowerBound
            return splice.new.map { index in
                if insertedIndices.contains(index) { return .inserted(new[index]) }
                defer { kept += 1 }
                return .original(kept)
            }
        }
        let pairedEnd = min(splice.old.upperBound, splice.new.upperBound)
        let paired = splice.old.lowerBound..<pairedEnd
        for index in paired { changed[index] = Revision(from: old[index], to: new[index]) }
        return paired.map(Element.original) + (pairedEnd..<splice.new.upperBound).map { .inserted(new[$0]) }
    }

    var isEmpty: Bool { changed.isEmpty && reordered == nil }

    /// The positions of the elements that an edit of the text has to find, the last one first.
    ///
    /// - Parameter order: The new order of the elements.
    func positions(_ order: ElementOrder?) -> [Int] {
        order?.positions(and: changed.keys) ?? changed.keys.sorted(by: >)
    }

    /// The new order of the elements; nil if none was inserted or removed.
    var order: ElementOrder? { reordered.map { ElementOrder($0.all, of: original.count) } }

    /// Whether elements are inserted or removed.
    var isStructural: Bool { reordered != nil }

    /// - Parameter keepsPositions: Whether the positions of members in elements have to be those in the text.
    func elements(keepsPositions: Bool) -> JSONArray {
        func applied(_ revision: Revision, at index: Int) -> JSON {
            revision.applied(to: original[index], keepsPositions: keepsPositions)
        }
        guard let all = reordered?.all else { return applyingChanges(to: original, applied) { $0 } }
        // The elements around those that were inserted and removed.
        let shorter = min(all.count, original.count)
        let prefix = (0..<shorter).first { !all[$0].isOriginal($0) } ?? shorter
        let rest = shorter - prefix
        let suffix =
            (1..<rest + 1).first { !all[all.count - $0].isOriginal(original.count - $0) }.map { $0 - 1 } ?? rest
        let end = original.count - suffix
        var elements = original
        elements.replaceSubrange(
            prefix..<end,
            with: all[prefix..<all.count - suffix].map { element in
                switch element {
                case .original(let index): changed[index].map { applied($0, at: index) } ?? original[index]
                case .inserted(let value): value
                }
            })
        return applyingChanges(to: elements, applied) { index in
            index < prefix ? index : index < end ? nil : index + all.count - original.count
        }
    }

    /// Applies the changes of elements for which `newIndex` returns where they are in `elements`.
    private func applyingChanges(
        to elements: JSONArray, _ applied: (Revision, Int) -> JSON, _ newIndex: (Int) -> Int?
    ) -> JSONArray {
        let changes = changed.compactMap { index, revision in
            newIndex(index).map { (index: $0, element: applied(revision, index)) }
        }
        return elements.replacing(changes.sorted { $0.index < $1.index })
    }

    var count: Int { reordered?.count ?? original.count }

    /// Applies a change to the element at the current index `token`, or to a value inside it.
    func apply(_ step: ChangeStep, at token: String) throws(JSONEditError) {
        guard let index = JSONPointer.index(token) else { throw step.error(.missing) }
        if step.isAtEnd, step.change.kind == .added {
            guard index <= count else { throw step.error(.missing) }
            return reorder { $0.insert(.inserted(step.change.new!), at: index) }
        }
        guard index < count else { throw step.error(.missing) }
        if step.isAtEnd, step.change.kind == .removed {
            if case .original(let originalIndex) = reordered?[index] ?? .original(index) {
                changed[originalIndex] = nil
            }
            return reorder { $0.remove(at: index) }
        }
        switch reordered?[index] ?? .original(index) {
        case .original(let originalIndex):
            var revision = changed[originalIndex]
            try revision.apply(step, to: original[originalIndex])
            changed[originalIndex] = revision
        case .inserted(let value): reordered![index] = .inserted(try value.applying(step))
        }
    }

    private func reorder(_ body: (inout GapBuffer<Element>) -> Void) {
        if reordered == nil { reordered = GapBuffer(original.indices.map(Element.original)) }
        body(&reordered!)
    }

    func mapNewValues(depth: Int, _ change: (JSON, Int) -> JSON) {
        for index in changed.indices { changed.values[index].mapNewValues(depth: depth, change) }
        for index in 0..<(reordered?.count ?? 0) {
            if case .inserted(let value) = reordered![index] { reordered![index] = .inserted(change(value, depth)) }
        }
    }
}

/// A gap buffer: an array with a gap at the last edit, so that an edit costs its distance from the previous one.
///
/// Changes to an array usually come in index order, and there can be as many as there are elements.
struct GapBuffer<Element> {
    private var front: [Element]
    /// The elements after the gap, in reverse order.
    private var back: [Element] = []

    init(_ elements: some Sequence<Element>) { front = Array(elements) }

    var count: Int { front.count + back.count }

    var all: [Element] { front + back.reversed() }

    subscript(index: Int) -> Element {
        get { index < front.count ? front[index] : back[count - 1 - index] }
        set { if index < front.count { front[index] = newValue } else { back[count - 1 - index] = newValue } }
    }

    mutating func insert(_ element: Element, at index: Int) {
        moveGap(index)
        front.append(element)
    }

    mutating func remove(at index: Int) {
        moveGap(index + 1)
        front.removeLast()
    }

    private mutating func moveGap(_ index: Int) {
        while front.count > index { back.append(front.removeLast()) }
        while front.count < index { front.append(back.removeLast()) }
    }
}

internal import Glibc

/// A node of a ``PagedVector``.
enum PagedVectorNode<Element: Sendable>: @unchecked Sendable {  // pages never change once shared
    case leaf(Page<Element>)
    case branch(Page<PagedVectorNode>)

    static func page(of children: some Collection<PagedVectorNode>) -> Page<PagedVectorNode> {
        Page.make(children.count) { slots in
            for (slot, child) in children.enumerated() { (slots + slot).initialize(to: child) }
        }
    }

    static func single(_ element: Element, _ height: Int) -> PagedVectorNode {
        if height == 0 { return .leaf(Page.make(1) { $0.initialize(to: element) }) }
        return .branch(page(of: CollectionOfOne(single(element, height - 1))))
    }

    private func slot(of index: Int, _ height: Int) -> Int { index >> (5 * height) & 31 }

    func replacing(_ index: Int, _ height: Int, with element: Element) -> PagedVectorNode {
        let slot = slot(of: index, height)
        switch self {
        case .leaf(let page): return .leaf(page.replacing(slot, with: element))
        case .branch(let page):
            let child = page.elements[slot].replacing(index, height - 1, with: element)
            return .branch(page.replacing(slot, with: child))
        }
    }

    /// Replaces elements of this node, whose indices are in order; `first` is the index of its first element.
    func replacing(
        _ changes: ArraySlice<(index: Int, element: Element)>, _ first: Int, _ height: Int
    ) -> PagedVectorNode {
        switch self {
        case .leaf(let page): return .leaf(page.replacing(changes, from: first))
        case .branch(let page):
            var children: [(index: Int, element: PagedVectorNode)] = []
            var rest = changes
            while let index = rest.first?.index {
                let slot = slot(of: index, height)
                let (start, end) = (first + slot << (5 * height), first + (slot + 1) << (5 * height))
                let own = rest.prefix { $0.index < end }
                children.append((slot, page.elements[slot].replacing(own, start, height - 1)))
                rest = rest[own.endIndex...]
            }
            return .branch(page.replacing(children[...]))
        }
    }

    /// Replaces the elements for which `replacement` returns non-nil; `first` is the index of the first one.
    func replacingElements(
        _ first: Int, _ height: Int, _ replacement: (Int, borrowing Element) -> Element?
    ) -> PagedVectorNode {
        switch self {
        case .leaf(let page): return .leaf(page.replacingElements { replacement(first + $0, $1) })
        case .branch(let page):
            return .branch(
                page.replacingElements { slot, child in
                    let old = copy child
                    let new = old.replacingElements(first + slot << (5 * height), height - 1, replacement)
                    return new.isIdentical(to: old) ? nil : new
                })
        }
    }

    func appending(_ element: Element, _ index: Int, _ height: Int) -> PagedVectorNode {
        switch self {
        case .leaf(let page): return .leaf(page.inserting(element, at: page.count))
        case .branch(let page):
            let slot = slot(of: index, height)
            if slot == page.count { return .branch(page.inserting(.single(element, height - 1), at: slot)) }
            return .branch(page.replacing(slot, with: page.elements[slot].appending(element, index, height - 1)))
        }
    }

    func visit(_ body: (borrowing Element) -> Void) {
        switch self {
        case .leaf(let page): for index in 0..<page.count { body(page.elements[index]) }
        case .branch(let page): for index in 0..<page.count { page.elements[index].visit(body) }
        }
    }

    /// Appends pages with elements, in order, until there are `count`.
    func collectPages(_ count: Int, _ pages: inout [PagedVectorNode]) {
        switch self {
        case .leaf: if pages.count < count { pages.append(self) }
        case .branch(let page):
            for slot in 0..<page.count where pages.count < count { page.elements[slot].collectPages(count, &pages) }
        }
    }

    func first(descending levels: Int) -> PagedVectorNode {
        guard levels > 0, case .branch(let page) = self else { return self }
        return page.elements[0].first(descending: levels - 1)
    }

    func isIdentical(to other: PagedVectorNode) -> Bool {
        switch (self, other) {
        case (.leaf(let mine), .leaf(let theirs)): mine === theirs
        case (.branch(let mine), .branch(let theirs)): mine === theirs
        default: false
        }
    }

    /// The first index at which two nodes of equal height have different elements; nil if one ends before.
    static func firstDifference(
        _ left: PagedVectorNode, _ right: PagedVectorNode, first: Int, _ height: Int,
        _ isSame: PagedVector<Element>.IsSame
    ) -> Int? {
        switch (left, right) {
        case (.leaf(let left), .leaf(let right)):
            if left === right { return nil }
            for slot in 0..<min(left.count, right.count) where !isSame(left.elements + slot, right.elements + slot) {
                return first + slot
            }
        case (.branch(let left), .branch(let right)):
            if left === right { return nil }
            for slot in 0..<min(left.count, right.count) where !isSamePage(left.elements + slot, right.elements + slot)
            {
                let start = first + slot << (5 * height)
                let (mine, theirs) = (left.elements[slot], right.elements[slot])
                if let found = firstDifference(mine, theirs, first: start, height - 1, isSame) { return found }
            }
        default: preconditionFailure("two nodes of one height have one form")
        }
        return nil
    }

    /// Calls `body` with the pairs of elements of two nodes of equal height that are neither on shared pages nor the same.
    static func forEachDifference(
        _ left: PagedVectorNode, _ right: PagedVectorNode, first: Int, _ height: Int,
        _ isSame: PagedVector<Element>.IsSame, _ body: (Int, Element, Element) -> Void
    ) {
        switch (left, right) {
        case (.leaf(let left), .leaf(let right)):
            if left === right { return }
            for slot in 0..<min(left.count, right.count) where !isSame(left.elements + slot, right.elements + slot) {
                body(first + slot, left.elements[slot], right.elements[slot])
            }
        case (.branch(let left), .branch(let right)):
            if left === right { return }
            for slot in 0..<min(left.count, right.count) where !isSamePage(left.elements + slot, right.elements + slot)
            {
                let start = first + slot << (5 * height)
                forEachDifference(left.elements[slot], right.elements[slot], first: start, height - 1, isSame, body)
            }
        default: preconditionFailure("two nodes of one height have one form")
        }
    }

    /// Whether two nodes have the same page, as most have. By their bytes, because copies of them would count references.
    private static func isSamePage(_ left: UnsafePointer<PagedVectorNode>, _ right: UnsafePointer<PagedVectorNode>)
        -> Bool
    {
        memcmp(left, right, MemoryLayout<PagedVectorNode>.size) == 0
    }
}

/// A persistent vector that shares unchanged parts with other versions: a tree of pages with 32 children each.
///
/// All leaves are at the same height and all but the last are full, so an index is a path of five bits per level.
/// Reading costs one step per level; replacing and appending copy one page per level. Inserting and removing in the
/// middle copy all elements from there on.
struct PagedVector<Element: Sendable>: Sendable {
    typealias Node = PagedVectorNode<Element>
    /// Compares two elements in place, without reference counting.
    typealias IsSame = (UnsafeMutablePointer<Element>, UnsafeMutablePointer<Element>) -> Bool

    let root: Node
    let count: Int
    let height: Int

    static var width: Int { 32 }
    static var bits: Int { 5 }

    private init(root: Node, count: Int, height: Int) {
        (self.root, self.count, self.height) = (root, count, height)
    }

    /// Moves `count` elements out of `start`, which is uninitialized afterwards. Before them are full pages of another
    /// vector.
    init(after pages: [Node] = [], moving start: UnsafeMutablePointer<Element>, _ count: Int) {
        var level = pages
        level.reserveCapacity(pages.count + count / Self.width + 1)
        for first in stride(from: 0, to: count, by: Self.width) {
            let size = min(Self.width, count - first)
            level.append(.leaf(Page.make(size) { $0.moveInitialize(from: start + first, count: size) }))
        }
        var height = 0
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: Self.width).map { first in
                let children = level[first..<min(first + Self.width, level.count)]
                return .branch(Node.page(of: children))
            }
            height += 1
        }
        self.init(root: level[0], count: pages.count * Self.width + count, height: height)
    }

    /// The pages of the first elements, at most `count` of them.
    func pages(within count: Int) -> [Node] {
        var pages: [Node] = []
        pages.reserveCapacity(count / Self.width)
        root.collectPages(count / Self.width, &pages)
        return pages
    }

    /// Replaces the elements at `indices` by others; keeps the pages before them. The result must not be empty.
    func replacing(_ indices: Range<Int>, with new: [Element]) -> PagedVector {
        let pages = pages(within: indices.lowerBound)
        let first = pages.count * Self.width
        let newCount = count - indices.count + new.count
        return withUnsafeTemporaryAllocation(of: Element.self, capacity: Swift.max(newCount - first, 1)) { room in
            let start = room.baseAddress!
            copy(first..<indices.lowerBound, to: start)
            let middle = start + (indices.lowerBound - first)
            new.withUnsafeBufferPointer {
                if let new = $0.baseAddress { middle.initialize(from: new, count: $0.count) }
            }
            copy(indices.upperBound..<count, to: middle + new.count)
            return PagedVector(after: pages, moving: start, newCount - first)
        }
    }

    /// Copies the elements in a range to memory that is not initialized.
    func copy(_ range: Range<Int>, to start: UnsafeMutablePointer<Element>) {
        var index = range.lowerBound
        while index < range.upperBound {
            let count = min(Self.width - index % Self.width, range.upperBound - index)
            withElement(index) { (start + (index - range.lowerBound)).initialize(from: $0, count: count) }
            index += count
        }
    }

    /// Accesses one element in place, without reference counting.
    @inline(__always)
    func withElement<Result>(_ index: Int, _ body: (UnsafeMutablePointer<Element>) -> Result) -> Result {
        var level = height
        var here: Unmanaged<Page<Node>>
        switch root {
        case .leaf(let page): return body(page.elements + index)
        case .branch(let page): here = .passUnretained(page)
        }
        while true {
            let slot = here._withUnsafeGuaranteedRef { $0.elements } + (index &>> (Self.bits &* level) & 31)
            level &-= 1
            switch slot.pointee {
            case .leaf(let page):
                return Unmanaged.passUnretained(page)._withUnsafeGuaranteedRef { body($0.elements + (index & 31)) }
            case .branch(let page): here = .passUnretained(page)
            }
        }
    }

    subscript(index: Int) -> Element { withElement(index) { $0.pointee } }

    func replacing(_ index: Int, with element: Element) -> PagedVector {
        PagedVector(root: root.replacing(index, height, with: element), count: count, height: height)
    }

    /// Replaces elements, whose indices are in order; pages without any stay identical.
    func replacing(_ changes: [(index: Int, element: Element)]) -> PagedVector {
        if changes.isEmpty { return self }
        return PagedVector(root: root.replacing(changes[...], 0, height), count: count, height: height)
    }

    /// Replaces the elements for which `replacement` returns non-nil; pages without any stay identical.
    func replacingElements(_ replacement: (Int, borrowing Element) -> Element?) -> PagedVector {
        PagedVector(root: root.replacingElements(0, height, replacement), count: count, height: height)
    }

    func appending(_ element: Element) -> PagedVector {
        guard count == Self.width << (Self.bits * height) else {
            return PagedVector(root: root.appending(element, count, height), count: count + 1, height: height)
        }
        let taller = Node.branch(Node.page(of: [root, Node.single(element, height)]))
        return PagedVector(root: taller, count: count + 1, height: height + 1)
    }

    /// Calls `body` with each element in place, in order.
    func visit(_ body: (borrowing Element) -> Void) { root.visit(body) }

    /// The first index at which two vectors have different elements; nil if one ends before. Skips shared pages.
    func firstDifference(from other: PagedVector, _ isSame: IsSame) -> Int? {
        let common = min(height, other.height)
        let (left, right) = (
            root.first(descending: height - common), other.root.first(descending: other.height - common)
        )
        return Node.firstDifference(left, right, first: 0, common, isSame)
    }

    /// The number of elements at the end that are the same, up to `limit`.
    func commonSuffix(with other: PagedVector, atMost limit: Int, _ isSame: IsSame) -> Int {
        var length = 0
        while length < limit {
            let (last, otherLast) = (count - 1 - length, other.count - 1 - length)
            let (mine, theirs) = (withElement(last) { $0 }, other.withElement(otherLast) { $0 })
            // As many as the pages of both have.
            let run = min(limit - length, last % Self.width + 1, otherLast % Self.width + 1)
            for offset in 0..<run where !isSame(mine - offset, theirs - offset) { return length + offset }
            length += run
        }
        return length
    }

    /// Calls `body` with each index at which two vectors neither share a page nor have the same element, and both
    /// elements; nil if a vector is too short.
    func forEachDifference(from other: PagedVector, _ isSame: IsSame, _ body: (Int, Element?, Element?) -> Void) {
        let common = min(height, other.height)
        let (left, right) = (
            root.first(descending: height - common), other.root.first(descending: other.height - common)
        )
        Node.forEachDifference(left, right, first: 0, common, isSame) { body($0, $1, $2) }
        let shorter = min(count, other.count)
        for index in shorter..<count { body(index, self[index], nil) }
        for index in shorter..<other.count { body(index, nil, other[index]) }
    }

    /// Whether the first page or one in the middle is that of `other`. Vectors that were not rebuilt share most pages.
    func probablySharesPages(with other: PagedVector) -> Bool {
        [0, min(count, other.count) / 2].contains { index in
            withElement(index) { $0 } == other.withElement(index) { $0 }
        }
    }

    func isIdentical(to other: PagedVector) -> Bool {
        switch (root, other.root) {
        case (.leaf(let mine), .leaf(let theirs)): mine === theirs
        case (.branch(let mine), .branch(let theirs)): mine === theirs
        default: false
        }
    }
}

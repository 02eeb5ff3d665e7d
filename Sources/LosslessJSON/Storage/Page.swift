/// The only kind of heap object in a tree: `count` elements in one allocation, immutable once shared.
///
/// The code that creates a page fills it before any other code can see it; afterwards it is only read. Types that wrap
/// a page are therefore safe to send to other threads, which `ManagedBuffer` cannot express.
final class Page<Element>: ManagedBuffer<Int, Element> {
    deinit {
        _ = withUnsafeMutablePointers { count, elements in elements.deinitialize(count: count.pointee) }
    }
}

extension Page {
    /// Creates a page of `count` elements; `fill` must initialize every one of them.
    @inline(__always)
    static func make(_ count: Int, extraCapacity: Int = 0, _ fill: (UnsafeMutablePointer<Element>) -> Void) -> Page {
        let buffer = Page.create(minimumCapacity: count &+ extraCapacity) { _ in count }
        let page = unsafeDowncast(buffer, to: Page.self)
        page.withUnsafeMutablePointerToElements(fill)
        return page
    }

    /// Read through a pointer: accessing `header` itself would add a run-time exclusivity check.
    @inline(__always) var count: Int { withUnsafeMutablePointerToHeader { $0.pointee } }

    /// Valid as long as the page is alive: callers must hold the page, or its owner, while they read.
    @inline(__always) var elements: UnsafeMutablePointer<Element> { withUnsafeMutablePointerToElements { $0 } }

    func replacing(_ index: Int, with element: Element) -> Page {
        let (old, count) = (elements, count)
        return Page.make(count) { new in
            new.initialize(from: old, count: index)
            (new + index).initialize(to: element)
            (new + index + 1).initialize(from: old + index + 1, count: count - index - 1)
        }
    }

    func inserting(_ element: Element, at index: Int) -> Page {
        let (old, count) = (elements, count)
        return Page.make(count + 1) { new in
            new.initialize(from: old, count: index)
            (new + index).initialize(to: element)
            (new + index + 1).initialize(from: old + index, count: count - index)
        }
    }

    func removing(_ index: Int) -> Page {
        let (old, count) = (elements, count)
        return Page.make(count - 1) { new in
            new.initialize(from: old, count: index)
            (new + index).initialize(from: old + index + 1, count: count - index - 1)
        }
    }

    /// Returns a page with the elements for which `replacement` returns non-nil replaced; the same page if there are
    /// none.
    func replacingElements(_ replacement: (Int, borrowing Element) -> Element?) -> Page {
        var changes: [(index: Int, element: Element)] = []
        for index in 0..<count {
            if let element = replacement(index, elements[index]) { changes.append((index, element)) }
        }
        return changes.isEmpty ? self : replacing(changes[...])
    }

    /// Replaces elements, whose indices are in order; that of the first element of the page is `first`.
    func replacing(_ changes: ArraySlice<(index: Int, element: Element)>, from first: Int = 0) -> Page {
        let (old, count) = (elements, count)
        return Page.make(count) { new in
            var done = 0
            for change in changes {
                let index = change.index - first
                (new + done).initialize(from: old + done, count: index - done)
                (new + index).initialize(to: change.element)
                done = index + 1
            }
            (new + done).initialize(from: old + done, count: count - done)
        }
    }
}

/// The one kind of heap object of a tree: `count` elements behind one allocation, never changed once shared.
///
/// A page is filled by the code that makes it, before anyone else can see it, and is only read from then on. Whatever
/// wraps a page is therefore safe to send to other threads, although `ManagedBuffer` cannot know that.
final class Page<Element>: ManagedBuffer<Int, Element> {
    deinit {
        _ = withUnsafeMutablePointers { count, elements in elements.deinitialize(count: count.pointee) }
    }
}

extension Page {
    /// Makes a page of `count` elements; `fill` must initialise every one of them.
    @inline(__always)
    static func make(_ count: Int, room: Int = 0, _ fill: (UnsafeMutablePointer<Element>) -> Void) -> Page {
        let buffer = Page.create(minimumCapacity: count &+ room) { _ in count }
        let page = unsafeDowncast(buffer, to: Page.self)
        page.withUnsafeMutablePointerToElements(fill)
        return page
    }

    /// Read through a pointer: for `header` itself the compiler would check at run time that nobody is writing it.
    @inline(__always) var count: Int { withUnsafeMutablePointerToHeader { $0.pointee } }

    /// Valid as long as the page is alive: callers hold the page, or something that holds it, while they read.
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

    /// A page with the same elements where `replacement` gives nothing; this page itself where it never gives any.
    func replacingWhereGiven(_ replacement: (Int, borrowing Element) -> Element?) -> Page {
        let (old, count) = (elements, count)
        var changed: [(Int, Element)] = []
        for index in 0..<count {
            if let element = replacement(index, old[index]) { changed.append((index, element)) }
        }
        if changed.isEmpty { return self }
        return Page.make(count) { new in
            var done = 0
            for (index, element) in changed {
                (new + done).initialize(from: old + done, count: index - done)
                (new + index).initialize(to: element)
                done = index + 1
            }
            (new + done).initialize(from: old + done, count: count - done)
        }
    }
}

/// An array that is cut in two where it was changed last: the next change costs how far from there it is.
///
/// Changes to an array come one beside the other, and as many as there are elements.
struct SplitArray<Element> {
    private var front: [Element]
    /// In reverse.
    private var back: [Element] = []

    init(_ elements: some Sequence<Element>) { front = Array(elements) }

    var count: Int { front.count + back.count }

    var all: [Element] { front + back.reversed() }

    subscript(index: Int) -> Element {
        get { index < front.count ? front[index] : back[count - 1 - index] }
        set { if index < front.count { front[index] = newValue } else { back[count - 1 - index] = newValue } }
    }

    mutating func insert(_ element: Element, at index: Int) {
        cut(index)
        front.append(element)
    }

    mutating func remove(at index: Int) {
        cut(index + 1)
        front.removeLast()
    }

    private mutating func cut(_ index: Int) {
        while front.count > index { back.append(front.removeLast()) }
        while front.count < index { front.append(back.removeLast()) }
    }
}

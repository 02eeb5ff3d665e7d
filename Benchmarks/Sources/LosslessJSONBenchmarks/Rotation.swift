/// One element after the other, for ever: what a benchmark does next should not be what it has just done.
struct Rotation<Element> {
    private let elements: [Element]
    private var index = 0

    /// `elements` are a power of two in number.
    init(_ elements: [Element]) {
        precondition(elements.count.nonzeroBitCount == 1, "a rotation has a power of two of elements")
        self.elements = elements
    }

    mutating func next() -> Element {
        index = (index &+ 1) & (elements.count &- 1)
        return elements[index]
    }
}

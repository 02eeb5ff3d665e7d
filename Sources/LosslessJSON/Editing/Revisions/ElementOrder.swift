/// The new order of an array's elements, in the form the text needs.
struct ElementOrder {
    /// By original index.
    private(set) var isRemoved: [Bool]
    /// By the original index of the previous element; −1 for the start of the array.
    private(set) var inserted: [Int: [InsertedItem]] = [:]

    init(_ elements: [ArrayRevision.Element], of count: Int) {
        isRemoved = Array(repeating: true, count: count)
        var last = -1
        for element in elements {
            switch element {
            case .original(let index):
                isRemoved[index] = false
                last = index
            case .inserted(let value): inserted[last, default: []].append(InsertedItem(key: nil, value: value))
            }
        }
    }

    /// The original indices of the elements that an edit of the text has to find, the last one first: changed ones, removed
    /// ones with their neighbors, those around insertions, and with insertions the last two, because ``ContainerLayout``
    /// looks before and behind the last one.
    func positions(and changed: some Sequence<Int>) -> [Int] {
        var isNeeded = [Bool](repeating: false, count: isRemoved.count)
        func need(_ indices: some Sequence<Int>) {
            for index in indices where isNeeded.indices.contains(index) { isNeeded[index] = true }
        }
        need(changed)
        for index in isRemoved.indices where isRemoved[index] { need(index - 1...index + 1) }
        for index in inserted.keys { need(index...index + 1) }
        if !inserted.isEmpty { need(isRemoved.indices.suffix(2)) }
        return isNeeded.indices.reversed().filter { isNeeded[$0] }
    }
}

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

    /// The original indices of the elements that an edit of the text has to find: the removed ones with their neighbors,
    /// those around insertions, and the last two if something is inserted.
    var positions: Set<Int> {
        var positions: Set<Int> = []
        for index in isRemoved.indices where isRemoved[index] { positions.formUnion(index - 1...index + 1) }
        for index in inserted.keys { positions.formUnion(index...index + 1) }
        if !inserted.isEmpty { positions.formUnion(isRemoved.indices.suffix(2)) }
        return positions.filter { isRemoved.indices.contains($0) }
    }
}

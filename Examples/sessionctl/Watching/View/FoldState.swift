import LosslessJSON

/// Which containers of a value are open, by path. What it does not mention is closed.
///
/// Stays as it is while values change, so that a container which disappears and comes back is open again. All counts
/// cost what is open, not the size of the value.
struct FoldState: Equatable {
    var isOpen = false
    private(set) var children: [MemberKey: FoldState] = [:]

    init(isOpen: Bool = false) { self.isOpen = isOpen }

    /// Opens or closes the container at a path.
    mutating func set(_ path: ArraySlice<String>, isOpen: Bool) {
        guard let first = path.first else {
            self.isOpen = isOpen
            return
        }
        children[MemberKey(first), default: FoldState()].set(path.dropFirst(), isOpen: isOpen)
    }

    /// Opens the containers around the value at a path.
    mutating func reveal(_ path: ArraySlice<String>) {
        guard let first = path.first else { return }
        isOpen = true
        children[MemberKey(first), default: FoldState()].reveal(path.dropFirst())
    }

    subscript(key: String) -> FoldState? { children.isEmpty ? nil : children[MemberKey(key)] }

    subscript(path: ArraySlice<String>) -> FoldState? {
        guard let first = path.first else { return self }
        return self[first]?[path.dropFirst()]
    }

    /// The number of rows of a value, with its own.
    func rowCount(of value: JSON?) -> Int {
        guard isOpen, let value, value.childCount > 0 else { return 1 }
        return children.reduce(1 + value.childCount) { count, child in
            guard child.value.isOpen, let member = value.child(child.key.text) else { return count }
            return count + child.value.rowCount(of: member) - 1
        }
    }

    /// The open elements of an array, in order.
    func openIndices(in array: JSONArray) -> [(index: Int, state: FoldState)] {
        children.compactMap { key, state in
            guard state.isOpen, let index = array.index(ofToken: key.text) else { return nil }
            return (index, state)
        }.sorted { $0.index < $1.index }
    }

    /// Opens containers of a value from the outside to the inside, while it has at most `limit` rows. The outermost is
    /// opened in any case, and containers in an array all or none.
    mutating func open(_ value: JSON, upTo limit: Int) {
        isOpen = true
        var count = 1 + value.childCount
        var level: [(path: [String], value: JSON)] = [([], value)]
        while count < limit, !level.isEmpty {
            var next: [(path: [String], value: JSON)] = []
            for container in level {
                if case .array(let array) = container.value,
                    count + array.reduce(0, { $0 + $1.childCount }) > limit
                {
                    continue
                }
                for (key, child) in container.value.children where child.childCount > 0 {
                    guard count + child.childCount <= limit else { continue }
                    count += child.childCount
                    let path = container.path + [key]
                    set(path[...], isOpen: true)
                    next.append((path, child))
                }
            }
            level = next
        }
    }
}

/// A key that compares byte by byte, as in objects.
struct MemberKey: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (a: MemberKey, b: MemberKey) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension JSON {
    /// The number of members or elements; 0 for a scalar.
    var childCount: Int {
        switch self {
        case .object(let object): object.count
        case .array(let array): array.count
        default: 0
        }
    }

    /// The member or element that a token of a path denotes.
    func child(_ token: String) -> JSON? {
        switch self {
        case .object(let object): object[token]
        case .array(let array): array.index(ofToken: token).map { array[$0] }
        default: nil
        }
    }

    /// The members or elements, in order; an element has its index as key.
    var children: any Sequence<(key: String, value: JSON)> {
        switch self {
        case .object(let object): object
        case .array(let array): array.lazy.enumerated().lazy.map { (key: String($0.offset), value: $0.element) }
        default: EmptyCollection()
        }
    }
}

extension JSONArray {
    /// The index that a token of a path denotes; nil if the array has no such element.
    func index(ofToken token: String) -> Int? {
        guard let index = Int(token), indices.contains(index), String(index) == token else { return nil }
        return index
    }
}

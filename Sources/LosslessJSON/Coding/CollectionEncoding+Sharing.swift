// An element that is encoded as in the previous version becomes the node of that version, so that a comparison of the two
// versions skips it. The members of a struct are compared while they are encoded: if all are the same, no node is built.

extension Array where Element: Encodable {
    func encode(
        sharing old: JSON, _ state: EncodingState, at parent: CodingPath?, _ key: (any CodingKey)?
    ) throws -> JSON? {
        guard let nodes = old.array, nodes.count == count else { return nil }
        // One for all: each nil would be made, copied and destroyed.
        let (path, noKey) = (CodingPath(at: parent, key), (any CodingKey)?.none)
        var changes: [(index: Int, element: JSON)] = []
        for index in indices {
            let previous = nodes[index]
            path.move(toElement: index)
            let node = try state.encode(self[index], nil, previous: previous, at: path, noKey)
            if let changed = SubtreeSharing.replacement(for: previous, by: node) { changes.append((index, changed)) }
        }
        return .array(nodes.replacing(changes))
    }
}

extension Dictionary where Key: Encodable, Value: Encodable {
    func encode(
        sharing old: JSON, _ state: EncodingState, at parent: CodingPath?, _ key: (any CodingKey)?
    ) throws -> JSON? {
        guard Key.self == String.self, let members = old.object, members.count == count,
            members.positionCount == count
        else { return nil }
        let values = retyped(self) as [String: Value]
        // Looked up in the object, which hashes faster than the dictionary. By their bytes: equal keys may have others.
        let (names, elements) = (values.keys, values.values)
        var indices = [[String: Value].Index](repeating: values.startIndex, count: count)
        var next = values.startIndex
        for _ in 0..<count {
            guard let (_, position) = members.located(names[next]) else { return nil }
            indices[position] = next
            values.formIndex(after: &next)
        }
        // One for all: each nil would be made, copied and destroyed.
        let (path, noKey) = (CodingPath(at: parent, key), (any CodingKey)?.none)
        var changes: [(index: Int, element: JSON)] = []
        for position in 0..<count {
            let member = members.member(at: position)!
            let previous = member.value!
            path.move(toMember: member.key)
            let node = try state.encode(elements[indices[position]], nil, previous: previous, at: path, noKey)
            if let changed = SubtreeSharing.replacement(for: previous, by: node) {
                changes.append((position, changed))
            }
        }
        return .object(members.replacingValues(changes))
    }
}

extension Set where Element: Encodable {
    func encode(
        sharing old: JSON, _ state: EncodingState, at parent: CodingPath?, _ key: (any CodingKey)?
    ) throws -> JSON? { nil }
}

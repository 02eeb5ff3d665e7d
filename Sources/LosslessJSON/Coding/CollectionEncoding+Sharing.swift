// An element that is encoded as in the previous version becomes the node of that version, so that a comparison of the two
// versions skips it. The members of a struct are compared while they are encoded: if all are the same, no node is built.

extension Array where Element: Encodable {
    func encode(
        sharing old: JSON, _ state: EncodingState, at parent: CodingPath?, _ key: (any CodingKey)?
    ) throws -> JSON? {
        guard let nodes = old.array, nodes.count == count else { return nil }
        let path = CodingPath(at: parent, key)
        var changes: [(index: Int, element: JSON)] = []
        for index in indices {
            let node = try state.encode(self[index], nil, previous: nodes[index], at: path, AnyCodingKey(index))
            if let changed = SubtreeSharing.replacement(for: nodes[index], by: node) {
                changes.append((index, changed))
            }
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
        let path = CodingPath(at: parent, key)
        var changes: [(position: Int, value: JSON)] = []
        for position in 0..<count {
            let member = members.member(at: position)!
            let name = member.key.string
            // Equal keys may have other bytes. After a key was replaced by another one, which is rare, the elements up to
            // here are encoded twice: looking up all keys first would cost a sixth of each save.
            guard let index = values.index(forKey: name), Bytewise.isEqual(values.keys[index], name) else { return nil }
            let previous = member.value!
            let node = try state.encode(
                values.values[index], nil, previous: previous, at: path, AnyCodingKey(member.key))
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

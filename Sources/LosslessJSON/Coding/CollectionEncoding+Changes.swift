extension Array where Element: Encodable {
    var hasBytewiseElements: Bool { first.map { Bytewise.canCompare($0) } ?? false }

    func encodeChanges(
        since old: any CollectionEncoding, encodedAs node: JSON, _ state: EncodingState, at parent: CodingPath?,
        _ key: (any CodingKey)?
    ) throws -> JSON? {
        guard let old = old as? [Element], var nodes = node.array, nodes.count == old.count else { return nil }
        let path = CodingPath(at: parent, key)
        func encoded(_ index: Int) throws -> JSON {
            try state.encode(self[index], nil, at: path, AnyCodingKey(index))
        }
        guard count == old.count else { return try encodeResized(since: old, encodedAs: nodes, encoded) }
        let changed = differences(from: old)
        if changed.count > count / EncodingMemory.partThatIsWorthIt { return nil }
        for index in changed { nodes[index] = try encoded(index) }
        return .array(nodes)
    }

    /// Keeps the elements before and after an insertion or a removal.
    private func encodeResized(
        since old: [Element], encodedAs nodes: JSONArray, _ encoded: (Int) throws -> JSON
    ) throws -> JSON {
        let shorter = Swift.min(count, old.count)
        let (prefix, suffix) = comparingBytes(with: old) { isSame in
            let prefix = (0..<shorter).first { !isSame($0, $0) } ?? shorter
            let rest = shorter - prefix
            return (prefix, (0..<rest).first { !isSame(count - 1 - $0, old.count - 1 - $0) } ?? rest)
        }
        var values = GrowingBuffer<JSON>(capacity: count)
        for index in 0..<prefix { values.append(nodes[index]) }
        for index in prefix..<count - suffix { values.append(try encoded(index)) }
        for index in nodes.count - suffix..<nodes.count { values.append(nodes[index]) }
        return .array(values.takeArray())
    }

    /// The indices of the elements whose bytes differ, in an array of the same length.
    private func differences(from old: [Element]) -> [Int] {
        comparingBytes(with: old) { isSame in indices.filter { !isSame($0, $0) } }
    }

    /// Calls `body` with a function that compares an element of this array with one of the other by their bytes.
    private func comparingBytes<Result>(with old: [Element], _ body: ((Int, Int) -> Bool) -> Result) -> Result {
        let comparison = BytewiseComparison<Element>()
        return withUnsafeBufferPointer { mine in
            old.withUnsafeBufferPointer { theirs in
                body { comparison.isSame(mine.baseAddress! + $0, theirs.baseAddress! + $1) }
            }
        }
    }
}

extension Dictionary where Key: Encodable, Value: Encodable {
    var hasBytewiseElements: Bool {
        Key.self == String.self && first.map { Bytewise.canCompare($0.value) } ?? false
    }

    func encodeChanges(
        since old: any CollectionEncoding, encodedAs node: JSON, _ state: EncodingState, at parent: CodingPath?,
        _ key: (any CodingKey)?
    ) throws -> JSON? {
        guard let old = old as? [Key: Value], var members = node.object, members.count == old.count,
            let changes = changesInStep(since: old) ?? changesByKey(since: old),
            changes.count <= count / EncodingMemory.partThatIsWorthIt
        else { return nil }
        let path = CodingPath(at: parent, key)
        func member(_ element: Element) throws -> Member {
            let name = Text(retyped(element.key) as String)
            return Member(name, try state.encode(element.value, nil, at: path, AnyCodingKey(name)))
        }
        for element in changes.changed {
            let member = try member(element)
            members = members.setting(member.key, to: member.value!)
        }
        if changes.added.isEmpty && changes.removed.isEmpty { return .object(members) }
        let removed = Set(changes.removed.map { ByteKey(Text(retyped($0) as String)) })
        return .object(members.sorted(adding: try changes.added.map(member), removing: removed))
    }

    private struct Changes {
        var changed: [Element] = []
        var added: [Element] = []
        var removed: [Key] = []

        var count: Int { changed.count + added.count + removed.count }
    }

    /// Compares the elements pairwise: a copy of a dictionary has them in the same order. nil if they do not correspond.
    private func changesInStep(since old: [Key: Value]) -> Changes? {
        if count != old.count || !hasSameKeys(inStepWith: old) { return nil }
        var changes = Changes()
        let comparison = BytewiseComparison<Value>()
        let (mine, theirs) = (values, old.values)
        // Unlike an iterator, an index copies no key, and no pair of a key and a value.
        var (index, other) = (startIndex, old.startIndex)
        while index != endIndex {
            if !comparison.isSame(mine, index, theirs, other) { changes.changed.append(self[index]) }
            formIndex(after: &index)
            old.formIndex(after: &other)
        }
        return changes
    }

    /// Whether both dictionaries, whose keys are strings, have the same keys in the same order.
    private func hasSameKeys(inStepWith old: [Key: Value]) -> Bool {
        // As strings, the keys are read without a call for each.
        let (mine, theirs): ([String: Value], [String: Value]) = (retyped(self), retyped(old))
        var others = theirs.keys.makeIterator()
        for key in mine.keys {
            guard let other = others.next(), Bytewise.isSame(key, other) else { return false }
        }
        return true
    }

    /// Looks each key up in the other dictionary. nil if a key has other bytes there, which makes it another member.
    private func changesByKey(since old: [Key: Value]) -> Changes? {
        var changes = Changes()
        let values = BytewiseComparison<Value>()
        for element in self {
            guard let index = old.index(forKey: element.key) else {
                changes.added.append(element)
                continue
            }
            let other = old[index]
            if !Bytewise.isEqual(retyped(element.key), retyped(other.key)) { return nil }
            if !values.isSame(element.value, other.value) { changes.changed.append(element) }
        }
        if old.count + changes.added.count > count { changes.removed = old.keys.filter { self[$0] == nil } }
        return changes
    }
}

extension Set where Element: Encodable {
    /// Its order depends on the encoded elements, so that it is always encoded as a whole.
    var hasBytewiseElements: Bool { false }

    func encodeChanges(
        since old: any CollectionEncoding, encodedAs node: JSON, _ state: EncodingState, at parent: CodingPath?,
        _ key: (any CodingKey)?
    ) throws -> JSON? { nil }
}

extension JSONObject {
    /// Adds and removes members of an object that is sorted by key.
    fileprivate func sorted(adding added: [Member], removing removed: Set<ByteKey>) -> JSONObject {
        let added = added.sorted { Text.precedes($0.key, $1.key) }
        var members: [Member] = []
        members.reserveCapacity(count + added.count)
        var next = 0
        forEachMember { key, value in
            while next < added.count, Text.precedes(added[next].key, copy key) {
                members.append(added[next])
                next += 1
            }
            if !removed.contains(ByteKey(copy key)) { members.append(Member(copy key, copy value)) }
        }
        members += added[next...]
        return JSONObject(members)
    }
}

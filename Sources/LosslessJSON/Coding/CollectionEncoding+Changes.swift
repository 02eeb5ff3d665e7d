extension Array where Element: Encodable {
    func hasBytewiseElements(like earlier: EncodingMemory.Collection?) -> Bool {
        guard let first else { return false }
        return Bytewise.canCompare(first, like: (earlier?.value as? [Element])?.first, earlier?.usedBytes)
    }

    var usedBytes: UsedBytes? { first.map { UsedBytes(of: $0) } }

    func encodeChanges(
        since earlier: EncodingMemory.Collection, _ state: EncodingState, at parent: CodingPath?,
        _ key: (any CodingKey)?
    ) throws -> JSON? {
        guard let old = earlier.value as? [Element], let usedBytes = earlier.usedBytes,
            var nodes = earlier.node.array, nodes.count == old.count
        else { return nil }
        let path = CodingPath(at: parent, key)
        func encoded(_ index: Int) throws -> JSON {
            try state.encode(self[index], nil, at: path, AnyCodingKey(index))
        }
        let comparison = BytewiseComparison<Element>(usedBytes)
        guard count == old.count else { return try encodeResized(since: old, encodedAs: nodes, comparison, encoded) }
        let changed = changedIndices(since: old, comparison)
        if changed.count > count / EncodingMemory.partThatIsWorthIt { return nil }
        for index in changed { nodes[index] = try encoded(index) }
        return .array(nodes)
    }

    /// Keeps the elements before and after an insertion or a removal.
    private func encodeResized(
        since old: [Element], encodedAs nodes: JSONArray, _ comparison: borrowing BytewiseComparison<Element>,
        _ encoded: (Int) throws -> JSON
    ) throws -> JSON {
        let shorter = Swift.min(count, old.count)
        let (prefix, suffix) = comparing(comparison, with: old) { isSame in
            let prefix = (0..<shorter).first { !isSame($0, $0) } ?? shorter
            let rest = shorter - prefix
            return (prefix, (0..<rest).first { !isSame(count - 1 - $0, old.count - 1 - $0) } ?? rest)
        }
        var nodes = nodes
        nodes.replaceSubrange(
            prefix..<nodes.count - suffix, with: try (prefix..<count - suffix).map(encoded))
        return .array(nodes)
    }

    private func changedIndices(
        since old: [Element], _ comparison: borrowing BytewiseComparison<Element>
    ) -> [Int] {
        withUnsafeBytes { mine in
            old.withUnsafeBytes { theirs in
                BytewiseWords.differences(
                    mine.baseAddress!, theirs.baseAddress!, count, stride: MemoryLayout<Element>.stride,
                    MemoryLayout<Element>.size, comparison.usedBytes.words)
            }
        }
        .filter { !comparison.isSame(self[$0], old[$0]) }
    }

    /// Calls `body` with a function that compares an element of this array with one of the other by their bytes.
    private func comparing<Result>(
        _ comparison: borrowing BytewiseComparison<Element>, with old: [Element],
        _ body: ((Int, Int) -> Bool) -> Result
    ) -> Result {
        withUnsafeBufferPointer { mine in
            old.withUnsafeBufferPointer { theirs in
                body { comparison.isSame(mine.baseAddress! + $0, theirs.baseAddress! + $1) }
            }
        }
    }
}

extension Dictionary where Key: Encodable, Value: Encodable {
    func hasBytewiseElements(like earlier: EncodingMemory.Collection?) -> Bool {
        guard Key.self == String.self, let first else { return false }
        let other = (earlier?.value as? [Key: Value])?.first?.value
        return Bytewise.canCompare(first.value, like: other, earlier?.usedBytes)
    }

    var usedBytes: UsedBytes? { first.map { UsedBytes(of: $0.value) } }

    func encodeChanges(
        since earlier: EncodingMemory.Collection, _ state: EncodingState, at parent: CodingPath?,
        _ key: (any CodingKey)?
    ) throws -> JSON? {
        guard let old = earlier.value as? [Key: Value], let usedBytes = earlier.usedBytes,
            var members = earlier.node.object, members.count == old.count,
            let changes = changes(since: old, BytewiseComparison(usedBytes)),
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
        let removed = changes.removed.map { Text(retyped($0) as String) }
        let added = try changes.added.map(member)
        // Each that is removed is a path of pages; one that is added moves those after it.
        if removed.count <= members.count / 32, added.count <= JSONObject.fewSplices {
            return .object(added.reduce(removed.reduce(members) { $0.removing($1) }) { $0.inserting($1) })
        }
        return .object(members.sorted(adding: added, removing: Set(removed.map { ByteKey($0) })))
    }

    private struct Changes {
        var changed: [Element] = []
        var added: [Element] = []
        var removed: [Key] = []

        var count: Int { changed.count + added.count + removed.count }
    }

    private func changes(since old: [Key: Value], _ comparison: borrowing BytewiseComparison<Value>) -> Changes? {
        changesInStep(since: old, comparison) ?? changesByKey(since: old, comparison)
    }

    /// Compares the elements pairwise: a copy of a dictionary has them in the same order, usually also if some come or go.
    /// nil if they do not correspond.
    private func changesInStep(
        since old: [Key: Value], _ comparison: borrowing BytewiseComparison<Value>
    ) -> Changes? {
        guard let type = Value.self as? any BytewiseEquatable.Type,
            let (mine, theirs) = unmatchedElements(inStepWith: old)
        else { return nil }
        let candidates = withUnsafePointer(to: self) { left in
            withUnsafePointer(to: old) { right in
                type._changedKeys(
                    left, right, added: mine.map(\.number), removed: theirs.map(\.number),
                    usedBits: comparison.usedBytes.words)
            }
        }
        var changes = Changes(
            added: mine.map { self[index(forKey: retyped($0.key))!] }, removed: theirs.map { retyped($0.key) })
        for key in candidates {
            let index = index(forKey: retyped(key))!
            if !comparison.isSame(self[index].value, old[retyped(key)]!) { changes.changed.append(self[index]) }
        }
        return changes
    }

    private typealias NumberedKey = (number: Int, key: String)

    /// The elements that one of two dictionaries, whose keys are strings, has alone; nil if they do not have the others in
    /// the same order, or if there are many.
    private func unmatchedElements(
        inStepWith old: [Key: Value]
    ) -> (mine: [NumberedKey], theirs: [NumberedKey])? {
        // As strings, the keys are read without a call for each.
        let (mine, theirs): ([String: Value], [String: Value]) = (retyped(self), retyped(old))
        var unmatched: (mine: [NumberedKey], theirs: [NumberedKey]) = ([], [])
        if Self.hasSameKeys(mine, theirs) { return unmatched }
        var (keys, otherKeys) = (mine.keys.makeIterator(), theirs.keys.makeIterator())
        var (key, other) = (keys.next(), otherKeys.next())
        var (number, otherNumber) = (0, 0)
        while key != nil || other != nil {
            if let a = key, let b = other, Bytewise.isSame(a, b) {
                (key, other) = (keys.next(), otherKeys.next())
                number += 1
                otherNumber += 1
            } else if let added = key, theirs.index(forKey: added) == nil {
                unmatched.mine.append((number, added))
                key = keys.next()
                number += 1
            } else if let removed = other, mine.index(forKey: removed) == nil {
                unmatched.theirs.append((otherNumber, removed))
                other = otherKeys.next()
                otherNumber += 1
            } else {
                return nil
            }
            if unmatched.mine.count + unmatched.theirs.count > count / EncodingMemory.partThatIsWorthIt { return nil }
        }
        return unmatched
    }

    /// Whether two dictionaries have the same keys in the same order, as most versions do.
    private static func hasSameKeys(_ mine: [String: Value], _ theirs: [String: Value]) -> Bool {
        if mine.count != theirs.count { return false }
        var others = theirs.keys.makeIterator()
        for key in mine.keys where !Bytewise.isSame(key, others.next()!) { return false }
        return true
    }

    /// Looks each key up in the other dictionary. nil if a key has other bytes there, which makes it another member.
    private func changesByKey(
        since old: [Key: Value], _ comparison: borrowing BytewiseComparison<Value>
    ) -> Changes? {
        var changes = Changes()
        for element in self {
            guard let index = old.index(forKey: element.key) else {
                changes.added.append(element)
                continue
            }
            let other = old[index]
            if !Bytewise.isEqual(retyped(element.key), retyped(other.key)) { return nil }
            if !comparison.isSame(element.value, other.value) { changes.changed.append(element) }
        }
        if old.count + changes.added.count > count { changes.removed = old.keys.filter { self[$0] == nil } }
        return changes
    }
}

extension Set where Element: Encodable {
    /// Its order depends on the encoded elements, so that it is always encoded as a whole.
    func hasBytewiseElements(like earlier: EncodingMemory.Collection?) -> Bool { false }

    var usedBytes: UsedBytes? { nil }

    func encodeChanges(
        since earlier: EncodingMemory.Collection, _ state: EncodingState, at parent: CodingPath?,
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

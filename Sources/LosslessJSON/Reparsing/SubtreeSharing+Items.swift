extension SubtreeSharing {
    /// What replaces neighboring items of the container to which positions lead from the root.
    struct Replacement {
        let path: [Int]
        let positions: Range<Int>
        /// A container of the new items.
        let items: JSON
    }

    /// Returns a root with items replaced, in the order of the text; nil if more than `limit` bytes would have to be copied,
    /// or if a key would occur twice. Each page of the value is copied once at most.
    static func replacing(
        _ replacements: [Replacement], in value: JSON, copying limit: Int
    ) -> (value: JSON, copiedBytes: Int)? {
        var sharing = SubtreeSharing(remainingBytes: limit)
        guard let value = sharing.replacing(replacements[...], in: value, at: 0), sharing.remainingBytes >= 0 else {
            return nil
        }
        return (value, limit - sharing.remainingBytes)
    }

    /// Replaces items of a container, and of those that are in it; `depth` is the number of those that it is in.
    private mutating func replacing(_ replacements: ArraySlice<Replacement>, in container: JSON, at depth: Int) -> JSON?
    {
        var changes: [(index: Int, element: JSON)] = []
        changes.reserveCapacity(replacements.reduce(0) { $0 + ($1.path.count == depth ? $1.positions.count : 1) })
        var others: [Replacement] = []
        var rest = replacements
        while let next = rest.first {
            if next.path.count == depth {
                rest.removeFirst()
                if container.hasSameKeys(at: next.positions, as: next.items) {
                    for (offset, position) in next.positions.enumerated() {
                        let (old, new) = (container.item(at: position)!, next.items.item(at: offset)!)
                        if let changed = replacement(old, new) { changes.append((position, changed)) }
                    }
                } else {
                    others.append(next)
                }
                continue
            }
            let position = next.path[depth]
            let inside = rest.prefix { $0.path.count > depth && $0.path[depth] == position }
            rest = rest[inside.endIndex...]
            guard let item = container.item(at: position), let changed = replacing(inside, in: item, at: depth + 1)
            else { return nil }
            changes.append((position, changed))
        }
        var value = container.replacingItems(changes)
        // From the end, so that positions stay the same.
        for other in others.reversed() {
            guard let old = value.items(at: other.positions) else { return nil }
            let new = replacement(old, other.items) ?? old
            guard remainingBytes >= 0, let next = value.replacingItems(other.positions, with: new) else { return nil }
            value = next
        }
        return value
    }
}

extension JSON {
    /// The number of elements, or of members and tombstones.
    var positionCount: Int {
        switch self {
        case .array(let array): array.count
        case .object(let object): object.positionCount
        default: 0
        }
    }

    private var hasNoTombstones: Bool {
        if case .object(let object) = self { object.positionCount == object.count } else { true }
    }

    /// The container to which positions lead from the root; nil if positions in one of those on the way are not those in
    /// the text.
    func container(along path: [Int]) -> JSON? {
        var container = self
        for position in path {
            guard container.hasNoTombstones, position < container.positionCount,
                let next = container.item(at: position)
            else { return nil }
            container = next
        }
        return container.hasNoTombstones ? container : nil
    }

    /// The positions that keys and indices lead through, from the root on, and whether they end at a member of an object;
    /// nil if there is no value, or if positions in one of the containers are not those in the text.
    func place(along tokens: ArraySlice<String>) -> (path: [Int], isMember: Bool)? {
        var (path, here, isMember): ([Int], JSON, Bool) = ([], self, false)
        for token in tokens {
            guard here.hasNoTombstones else { return nil }
            let position: Int?
            switch here {
            case .object(let object): (position, isMember) = (object.located(token)?.position, true)
            default: (position, isMember) = (JSONPointer.index(token), false)
            }
            guard let position, position < here.positionCount, let next = here.item(at: position) else { return nil }
            path.append(position)
            here = next
        }
        return (path, isMember)
    }

    fileprivate func item(at position: Int) -> JSON? {
        switch self {
        case .array(let array): array[position]
        case .object(let object): object.member(at: position)?.value
        default: JSON?.none
        }
    }

    /// A container of some of the items; nil if there are fewer.
    func items(at positions: Range<Int>) -> JSON? {
        guard positions.upperBound <= positionCount else { return nil }
        if positions == 0..<positionCount { return self }
        return switch self {
        case .array(let array): .array(JSONArray(array[positions]))
        case .object(let object): .object(JSONObject(object.members(at: positions)))
        default: JSON?.none
        }
    }

    /// Whether a container of the same kind has as many items as there are positions, with the same keys.
    fileprivate func hasSameKeys(at positions: Range<Int>, as items: JSON) -> Bool {
        guard items.positionCount == positions.count, positions.upperBound <= positionCount else { return false }
        switch (self, items) {
        case (.array, .array): return true
        case (.object(let object), .object(let items)):
            return positions.allSatisfy { position in
                Text.sameBytes(
                    object.member(at: position)!.key, items.member(at: position - positions.lowerBound)!.key)
            }
        default: return false
        }
    }

    /// Returns a container with other values of some elements or members, whose positions are in order and have no
    /// tombstones.
    func replacingItems(_ changes: [(index: Int, element: JSON)]) -> JSON {
        switch self {
        case .array(let array): .array(array.replacing(changes))
        case .object(let object): .object(object.replacingValues(changes))
        default: self
        }
    }

    /// Returns a container with the items at `positions` replaced by all of `items`; nil if a key would occur twice.
    fileprivate func replacingItems(_ positions: Range<Int>, with items: JSON) -> JSON? {
        if positions == 0..<positionCount { return items }
        switch (self, items) {
        case (.array(var array), .array(let items)):
            array.replaceSubrange(positions, with: items)
            return .array(array)
        case (.object(let object), .object(let items)):
            return object.replacingMembers(at: positions, with: items).map(JSON.object)
        default: return nil
        }
    }
}

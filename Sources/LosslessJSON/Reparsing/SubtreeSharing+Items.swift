extension SubtreeSharing {
    /// Returns `root` with some items of a container replaced by all `items` of another one; nil if more than `limit`
    /// bytes would have to be copied, if a key would occur twice, or if positions in the value are not those in the
    /// text.
    static func replacing(
        _ changed: ChangedItems, of root: JSON, with items: JSON, copying limit: Int
    ) -> (value: JSON, copiedBytes: Int)? {
        // The containers from the root on.
        var containers = [root]
        for position in changed.path {
            guard let next = containers[containers.count - 1].item(at: position) else { return nil }
            containers.append(next)
        }
        guard let container = containers.popLast(), container.hasNoTombstones else { return nil }
        var sharing = SubtreeSharing(remainingBytes: limit)
        guard let old = container.items(at: changed.positions) else { return nil }
        let new = sharing.replacement(old, items)
        if sharing.remainingBytes < 0 { return nil }
        guard let new else { return (root, limit - sharing.remainingBytes) }
        guard var value = container.replacingItems(changed.positions, with: new) else { return nil }
        for (container, position) in zip(containers, changed.path).reversed() {
            value = container.replacingItem(at: position, with: value)
        }
        return (value, limit - sharing.remainingBytes)
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

    fileprivate var hasNoTombstones: Bool {
        if case .object(let object) = self { object.positionCount == object.count } else { true }
    }

    /// The container or scalar that positions lead to; nil if positions in the value are not those in the text.
    func item(along path: [Int]) -> JSON? {
        path.reduce(self as JSON?) { $0?.item(at: $1) }
    }

    fileprivate func item(at position: Int) -> JSON? {
        guard position < positionCount, hasNoTombstones else { return nil }
        return switch self {
        case .array(let array): array[position]
        case .object(let object): object.member(at: position)?.value
        default: nil
        }
    }

    /// A container of some of the items; nil if there are fewer.
    func items(at positions: Range<Int>) -> JSON? {
        guard positions.upperBound <= positionCount else { return nil }
        if positions == 0..<positionCount { return self }
        return switch self {
        case .array(let array): .array(JSONArray(array[positions]))
        case .object(let object): .object(JSONObject(object.members(at: positions)))
        default: nil
        }
    }

    fileprivate func replacingItem(at position: Int, with value: JSON) -> JSON {
        switch self {
        case .array(var array):
            array[position] = value
            return .array(array)
        case .object(let object): return .object(object.replacingValue(at: position, with: value))
        default: preconditionFailure("a scalar has no items")
        }
    }

    /// Returns a container with the items at `positions` replaced by all of `items`; nil if a key would occur twice.
    fileprivate func replacingItems(_ positions: Range<Int>, with items: JSON) -> JSON? {
        switch (self, items) {
        case (.array(var array), .array(let items)):
            if items.count == positions.count {
                array = array.replacingElements(at: positions, with: items)
            } else {
                array.replaceSubrange(positions, with: items)
            }
            return .array(array)
        case (.object(let object), .object(let items)):
            return object.replacingMembers(at: positions, with: items).map(JSON.object)
        default: return nil
        }
    }
}

extension JSONArray {
    /// Replaces elements by as many others.
    fileprivate func replacingElements(at positions: Range<Int>, with elements: JSONArray) -> JSONArray {
        func replacement(_ position: Int, _ old: borrowing JSON) -> JSON? {
            let new = elements[position - positions.lowerBound]
            return new.isIdentical(to: copy old) ? nil : new
        }
        return switch form {
        case .small(let page):
            JSONArray(form: .small(page.replacingElements(in: positions, replacement)))
        case .large(let large):
            JSONArray(form: .large(LargeArray(large.elements.replacingElements(in: positions, replacement))))
        }
    }
}

extension JSONObject {
    /// The members at some positions, at which there are no tombstones.
    fileprivate func members(at positions: Range<Int>) -> [Member] { positions.map { member(at: $0)! } }

    /// Replaces members by others; nil if a key would occur twice.
    fileprivate func replacingMembers(at positions: Range<Int>, with members: JSONObject) -> JSONObject? {
        if members.count == positions.count, let object = replacingValues(at: positions, with: members) {
            return object
        }
        let all =
            self.members(at: 0..<positions.lowerBound) + members.members(at: 0..<members.count)
            + self.members(at: positions.upperBound..<positionCount)
        let (object, hadDuplicateKeys) = withUnsafeTemporaryAllocation(of: Member.self, capacity: all.count) { room in
            _ = room.initialize(from: all)
            return JSONObject.moving(room.baseAddress!, all.count)
        }
        return hadDuplicateKeys ? nil : object
    }

    /// Replaces the values of members by those of as many others; nil if their keys differ.
    private func replacingValues(at positions: Range<Int>, with members: JSONObject) -> JSONObject? {
        func replacement(_ position: Int, _ old: borrowing Member) -> Member? {
            let new = members.member(at: position - positions.lowerBound)!
            return new.value!.isIdentical(to: old.value!) ? nil : Member(old.key, new.value)
        }
        let isSame = positions.allSatisfy { position in
            Text.sameBytes(member(at: position)!.key, members.member(at: position - positions.lowerBound)!.key)
        }
        if !isSame { return nil }
        switch form {
        case .small(let page): return JSONObject(form: .small(page.replacingElements(in: positions, replacement)))
        case .large(let large):
            let changed = large.members.replacingElements(in: positions, replacement)
            return JSONObject(form: .large(LargeObject(changed, count: count, index: large.index)))
        }
    }
}

extension SubtreeSharing {
    /// Returns the root with some items of the last of `containers`, which lead there from it, replaced by all `items` of
    /// another container; nil if more than `limit` bytes would have to be copied, or if a key would occur twice.
    static func replacing(
        _ changed: ChangedItems, in containers: [JSON], with items: JSON, copying limit: Int
    ) -> (value: JSON, copiedBytes: Int)? {
        var containers = containers
        let container = containers.removeLast()
        guard let old = container.items(at: changed.positions) else { return nil }
        var sharing = SubtreeSharing(remainingBytes: limit)
        let new = sharing.replacement(old, items) ?? old
        guard sharing.remainingBytes >= 0, var value = container.replacingItems(changed.positions, with: new) else {
            return nil
        }
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

    private var hasNoTombstones: Bool {
        if case .object(let object) = self { object.positionCount == object.count } else { true }
    }

    /// The containers that positions lead through, from the root on; nil if positions in one of them are not those in the
    /// text.
    func containers(along path: [Int]) -> [JSON]? {
        var containers = [self]
        for position in path {
            let container = containers[containers.count - 1]
            guard container.hasNoTombstones, position < container.positionCount,
                let next = container.item(at: position)
            else { return nil }
            containers.append(next)
        }
        return containers.last!.hasNoTombstones ? containers : nil
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

    private func item(at position: Int) -> JSON? {
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
        if positions == 0..<positionCount { return items }
        return switch (self, items) {
        case (.array(let array), .array(let items)): .array(array.replacingElements(at: positions, with: items))
        case (.object(let object), .object(let items)):
            object.replacingMembers(at: positions, with: items).map(JSON.object)
        default: JSON?.none
        }
    }
}

extension JSONArray {
    fileprivate func replacingElements(at positions: Range<Int>, with elements: JSONArray) -> JSONArray {
        if elements.count != positions.count {
            var array = self
            array.replaceSubrange(positions, with: elements)
            return array
        }
        func replacement(_ position: Int, _ old: borrowing JSON) -> JSON? {
            let new = elements[position - positions.lowerBound]
            // `nil` alone would be the JSON value.
            return new.isIdentical(to: copy old) ? JSON?.none : new
        }
        return switch form {
        case .small(let page):
            JSONArray(form: .small(page.replacingElements(in: positions, replacement)))
        case .large(let large):
            JSONArray(form: .large(LargeArray(large.elements.replacingElements(in: positions, replacement))))
        }
    }
}

/// The pending changes to the members of an object.
final class ObjectRevision {
    let original: JSONObject

    /// Changes to members that remain.
    private(set) var changed: [ByteKey: Revision] = [:]
    private(set) var removed: Set<ByteKey> = []

    /// New members, in the order in which they are appended.
    private(set) var added = JSONObject()

    init(_ original: JSONObject) { self.original = original }

    init(from old: JSONObject, to new: JSONObject) {
        original = old
        old.forEachUnsharedPair(with: new) { key, before, after in
            if let before, let after {
                changed[ByteKey(copy key)] = Revision(from: before, to: after)
            } else if let after {
                added = added.setting(copy key, to: after)
            } else {
                removed.insert(ByteKey(copy key))
            }
        }
    }

    var isEmpty: Bool { changed.isEmpty && removed.isEmpty && added.isEmpty }

    /// Whether members are added or removed.
    var isStructural: Bool { !removed.isEmpty || !added.isEmpty }

    /// The positions of the members that an edit of the text has to find, the last one first; nil if they are not those in
    /// the text. These are the changed members, the removed ones with their neighbors, and if others are appended, the last
    /// two, because ``ContainerLayout`` looks before and behind the last one.
    var positions: [Int]? {
        guard hasPositionsOfText else { return nil }
        var positions = Set(changed.keys.map { original.position(of: $0.text)! })
        for key in removed {
            let position = original.position(of: key.text)!
            positions.formUnion(max(0, position - 1)...min(position + 1, original.count - 1))
        }
        if !added.isEmpty { positions.formUnion(max(0, original.count - 2)..<original.count) }
        return positions.sorted(by: >)
    }

    /// The last of these positions, and the change there; nil if there are none.
    var lastPosition: (position: Int, revision: Revision?)? {
        if isStructural { return positions?.first.map { ($0, nil) } }
        guard hasPositionsOfText else { return nil }
        return changed.lazy.map { (self.original.position(of: $0.key.text)!, $0.value) }.max { $0.0 < $1.0 }
    }

    var hasPositionsOfText: Bool { original.positionCount == original.count }

    /// - Parameter keepsPositions: Whether the positions of members have to be those in the text. Otherwise a member that is
    ///   removed leaves a tombstone, which takes less time.
    func members(keepsPositions: Bool) -> JSONObject {
        var members = original
        for (key, revision) in changed {
            let value = revision.applied(to: original.value(of: key.text)!, keepsPositions: keepsPositions)
            members = members.setting(key.text, to: value)
        }
        if !keepsPositions || !hasPositionsOfText {
            for key in removed { members = members.removing(key.text) }
        } else if removed.count > JSONObject.fewSplices {
            let all = members.members(at: 0..<members.positionCount)
            members = JSONObject(all.filter { !removed.contains(ByteKey($0.key)) })
        } else {
            for key in removed {
                let position = members.position(of: key.text)!
                members = members.replacingMembers(at: position..<position + 1, with: JSONObject())!
            }
        }
        added.forEachMember { key, value in members = members.setting(copy key, to: copy value) }
        return members
    }

    /// Applies a change to the member `key`, or to a value inside it.
    func apply(_ step: ChangeStep, at key: Text) throws(JSONEditError) {
        let name = ByteKey(key)
        if let value = added.value(of: key) { return try applyToAdded(step, key, value) }
        guard let value = original.value(of: key) else {
            guard step.isAtEnd, step.change.kind == .added else { throw step.error(.missing) }
            added = added.setting(key, to: step.change.new!)
            return
        }
        let isThere = !removed.contains(name)
        guard isThere != (step.isAtEnd && step.change.kind == .added) else {
            throw step.error(isThere ? .present : .missing)
        }
        if step.isAtEnd, step.change.kind == .removed {
            changed[name] = nil
            removed.insert(name)
            return
        }
        removed.remove(name)
        var revision = changed[name]
        try revision.apply(step, to: value)
        changed[name] = revision
    }

    private func applyToAdded(_ step: ChangeStep, _ key: Text, _ value: JSON) throws(JSONEditError) {
        switch step.isAtEnd ? step.change.kind : .changed {
        case .added: throw step.error(.present)
        case .removed: added = added.removing(key)
        case .changed: added = added.setting(key, to: try value.applying(step))
        }
    }

    func mapNewValues(depth: Int, _ change: (JSON, Int) -> JSON) {
        for index in changed.indices { changed.values[index].mapNewValues(depth: depth, change) }
        if !added.isEmpty { added = JSONObject(added.map { ($0.key, change($0.value, depth)) }) }
    }
}

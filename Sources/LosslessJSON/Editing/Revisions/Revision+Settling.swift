extension Revision {
    /// Sees to it that new values keep no other text alive, and gives how many bytes of their own they keep.
    ///
    /// - Throws: that containers would lie deeper than the limit allows.
    mutating func settle(depthLimit: Int) throws(JSONEditError) -> Int {
        var copiedBytes = 0
        var isTooDeep = false
        mapNewValues(depth: 0) { value, depth in
            guard value.isNested(atMost: depthLimit - depth) else {
                isTooDeep = true
                return value
            }
            let copy = Graft.copy(value)
            copiedBytes += copy.copiedBytes
            return copy.value
        }
        if isTooDeep { throw JSONEditError(.depth, JSONPointer()) }
        return copiedBytes
    }

    /// Replaces every value that is not in the text yet by what `change` gives for it, told in how many containers the
    /// value lies.
    mutating func mapNewValues(depth: Int, _ change: (JSON, Int) -> JSON) {
        switch self {
        case .fresh(let value): self = .fresh(change(value, depth))
        case .object(let revision): revision.mapNewValues(depth: depth + 1, change)
        case .array(let revision): revision.mapNewValues(depth: depth + 1, change)
        }
    }
}

extension JSON {
    /// Whether no more than `limit` containers lie inside each other.
    func isNested(atMost limit: Int) -> Bool {
        guard isContainer else { return true }
        if limit <= 0 { return false }
        var isNested = true
        switch self {
        case .array(let array):
            array.forEachElement { isNested = isNested && (copy $0).isNested(atMost: limit - 1) }
        case .object(let object):
            object.forEachMember { isNested = isNested && (copy $1).isNested(atMost: limit - 1) }
        default: break
        }
        return isNested
    }
}

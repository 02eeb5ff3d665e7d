extension Revision {
    /// Copies the text of new values, so that they keep no other document alive, and returns the number of bytes
    /// copied.
    ///
    /// - Throws: ``JSONEditError`` if the result would be nested deeper than `depthLimit`.
    mutating func detachNewValues(depthLimit: Int) throws(JSONEditError) -> Int {
        var copiedBytes = 0
        var isTooDeep = false
        mapNewValues(depth: 0) { value, depth in
            guard value.isNested(atMost: depthLimit - depth) else {
                isTooDeep = true
                return value
            }
            let copy = SubtreeSharing.detach(value)
            copiedBytes += copy.copiedBytes
            return copy.value
        }
        if isTooDeep { throw JSONEditError(.depth, JSONPointer()) }
        return copiedBytes
    }

    /// Replaces each new value by the result of `change`, which receives the value and its nesting depth.
    mutating func mapNewValues(depth: Int, _ change: (JSON, Int) -> JSON) {
        switch self {
        case .replaced(let value): self = .replaced(change(value, depth))
        case .object(let revision): revision.mapNewValues(depth: depth + 1, change)
        case .array(let revision): revision.mapNewValues(depth: depth + 1, change)
        }
    }
}

extension JSON {
    /// Whether at most `limit` containers are nested.
    package func isNested(atMost limit: Int) -> Bool {
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

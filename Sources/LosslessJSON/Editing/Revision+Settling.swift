extension Revision {
    /// The revision with new values that keep no other text alive, and how many bytes of their own they keep.
    ///
    /// - Throws: where containers would lie deeper than the limit allows.
    func settled(depthLimit: Int) throws(JSONEditError) -> (revision: Revision, copiedBytes: Int) {
        var (revision, copiedBytes) = (self, 0)
        try revision.mapNewValues(at: []) { value, path throws(JSONEditError) in
            guard value.isNested(atMost: depthLimit - path.count) else {
                throw JSONEditError(.depth, JSONPointer(path))
            }
            let copy = Graft.copy(value)
            copiedBytes += copy.copiedBytes
            return copy.value
        }
        return (revision, copiedBytes)
    }

    typealias ValueChange = (JSON, [String]) throws(JSONEditError) -> JSON

    /// Replaces every value that is not in the text yet by what `change` gives for it and its path.
    mutating func mapNewValues(at path: [String], _ change: ValueChange) throws(JSONEditError) {
        switch self {
        case .fresh(let value): self = .fresh(try change(value, path))
        case .object(var revision):
            try revision.mapNewValues(at: path, change)
            self = .object(revision)
        case .array(var revision):
            try revision.mapNewValues(at: path, change)
            self = .array(revision)
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

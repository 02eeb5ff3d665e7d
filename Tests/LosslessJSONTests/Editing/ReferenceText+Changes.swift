import LosslessJSON

extension JSONChange {
    /// Whether a container is replaced by one of the same kind, so that only its items change.
    var isItemwise: Bool {
        guard let old, let new else { return false }
        return old.object != nil && new.object != nil || old.array != nil && new.array != nil
    }
}

extension ReferenceText {
    /// The comments that a change removes, by token index.
    func commentsRemoved(by change: JSONChange) -> Set<Int> {
        var value = firstValue
        for (depth, name) in change.path.tokens.enumerated() {
            let isLast = depth == change.path.tokens.count - 1
            if isLast && change.kind == .added { return [] }
            let items = items(of: value)
            let matches = items.indices.filter { isItem(items[$0], $0, name) }
            if isLast && change.kind == .removed {
                return matches.reduce(into: []) { $0.formUnion(commentsRemoved(withItem: $1, of: value)) }
            }
            value = items[matches.last!].value.lowerBound
            if isLast, change.old != change.new {
                return Set(items[matches.last!].value.filter { tokens[$0].kind == .comment })
            }
        }
        return []
    }

    /// The first token of the root value.
    var firstValue: Int { tokens.indices.first { tokens[$0].kind != .comment }! }

    func isItem(_ item: Item, _ number: Int, _ name: String) -> Bool {
        guard let key = item.key else { return name == String(number) }
        return ReferenceJSON(parsing: Array(bytes[tokens[key].range]), isLenient: false) == .string(Array(name.utf8))
    }
}

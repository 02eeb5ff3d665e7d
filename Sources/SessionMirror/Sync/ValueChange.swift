package import LosslessJSON

/// A change of a value of the file, at a path through objects only.
///
/// The indices of an array shift when its length changes, so a change inside an array counts as a change of the whole
/// array.
package struct ValueChange: Hashable {
    package let path: JSONPointer
    /// nil if the value was added.
    package let old: JSON?
    /// nil if the value was removed.
    package let new: JSON?

    /// Returns the changes from `old` to `new`.
    package static func list(from old: JSON, to new: JSON) -> [ValueChange] {
        if old.isIdentical(to: new) { return [] }
        var listed: Set<JSONPointer> = []
        return new.difference(from: old).compactMap { change in
            let path = change.path.beforeArrays(of: old)
            if path.tokens.count == change.path.tokens.count {
                return ValueChange(path: path, old: change.old, new: change.new)
            }
            guard listed.insert(path).inserted else { return nil }
            return ValueChange(path: path, old: old[at: path], new: new[at: path])
        }
    }
}

extension JSONPointer {
    /// The part of the path before the first array of `tree`.
    func beforeArrays(of tree: JSON) -> JSONPointer {
        var here: JSON? = tree
        for (depth, token) in tokens.enumerated() {
            guard let object = here?.object else {
                return here?.array == nil ? self : JSONPointer(Array(tokens[..<depth]))
            }
            here = object[token]
        }
        return self
    }
}

extension JSON {
    /// Returns the tree with the value at a path set or removed; unchanged if the path does not exist.
    package func with(_ value: JSON?, at path: JSONPointer) -> JSON {
        if let value { return (try? setting(path, to: value)) ?? self }
        return (try? removing(path)) ?? self
    }
}

internal import LosslessJSON

/// That a value of the file became another one, where the path leads through objects only.
///
/// The places in an array move when its length changes, so a change inside an array is one of the whole array here.
struct ValueChange: Hashable {
    let path: JSONPointer
    /// nil when there was none.
    let old: JSON?
    /// nil when there is none any more.
    let new: JSON?

    /// What made `new` of `old`.
    static func list(from old: JSON, to new: JSON) -> [ValueChange] {
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
    /// As much of the path as leads through objects of `tree`.
    fileprivate func beforeArrays(of tree: JSON) -> JSONPointer {
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
    /// The value with another one at a path, or with none; unchanged where the path leads nowhere.
    func with(_ value: JSON?, at path: JSONPointer) -> JSON {
        if let value { return (try? setting(path, to: value)) ?? self }
        return (try? removing(path)) ?? self
    }
}

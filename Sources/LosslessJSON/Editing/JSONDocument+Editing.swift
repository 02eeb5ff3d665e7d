extension JSONDocument {
    /// The document with changes made, one after the other, as ``JSON/difference(from:)`` lists them.
    ///
    /// Only the bytes of values that change differ, and those of members and elements that come or go, with their commas
    /// and their own comments. A change whose new value equals what is there changes nothing. The old values of the
    /// changes are not compared with what is there.
    ///
    /// The text is walked once (twice within objects that have keys twice), and the value shares its unchanged parts with
    /// this one's.
    ///
    /// - Throws: which change cannot be made, and why.
    public func applying(_ changes: some Sequence<JSONChange>) throws(JSONEditError) -> JSONDocument {
        var revision: Revision?
        for change in changes { try revision.apply(Step(change), to: value) }
        guard let revision else { return self }
        return try revised(by: revision)
    }

    /// The document with another value at a path; objects on the way that are missing are begun.
    ///
    /// Where the path leads to the end of an array, by its count or by `-`, the value is appended.
    ///
    /// - Throws: that there is nothing that could hold the value.
    public func setting(_ path: JSONPointer, to value: JSON) throws(JSONEditError) -> JSONDocument {
        try applying([self.value.change(setting: path, to: value)])
    }

    /// The document without the value at a path.
    ///
    /// - Throws: that there is none, or that it is the whole value.
    public func removing(_ path: JSONPointer) throws(JSONEditError) -> JSONDocument {
        guard let old = value[at: path] else { throw JSONEditError(.missing, path) }
        return try applying([JSONChange(at: path, from: old, to: nil)])
    }
}

extension JSON {
    /// The value with changes made, one after the other, as ``difference(from:)`` lists them.
    ///
    /// Unchanged parts are shared. The old values of the changes are not compared with what is there.
    ///
    /// - Throws: which change cannot be made, and why.
    public func applying(_ changes: some Sequence<JSONChange>) throws(JSONEditError) -> JSON {
        var revision: Revision?
        for change in changes { try revision.apply(Step(change), to: self) }
        return revision?.applied(to: self) ?? self
    }

    /// The value with another one at a path; objects on the way that are missing are begun.
    ///
    /// Where the path leads to the end of an array, by its count or by `-`, the value is appended.
    ///
    /// - Throws: that there is nothing that could hold the value.
    public func setting(_ path: JSONPointer, to value: JSON) throws(JSONEditError) -> JSON {
        try applying([change(setting: path, to: value)])
    }

    /// The value without the one at a path.
    ///
    /// - Throws: that there is none, or that it is the whole value.
    public func removing(_ path: JSONPointer) throws(JSONEditError) -> JSON {
        guard let old = self[at: path] else { throw JSONEditError(.missing, path) }
        return try applying([JSONChange(at: path, from: old, to: nil)])
    }

    /// The change that puts a value at a path, with the objects that are missing on the way.
    fileprivate func change(setting path: JSONPointer, to value: JSON) throws(JSONEditError) -> JSONChange {
        guard path.tokens.count <= JSONDocument.deepestNesting else { throw JSONEditError(.depth, JSONPointer()) }
        var here = self
        for (depth, token) in path.tokens.enumerated() {
            func adding(at token: String) -> JSONChange {
                let rest = path.tokens[(depth + 1)...]
                let inner = rest.reversed().reduce(value) { .object([$1: $0]) }
                return JSONChange(at: JSONPointer(path.tokens[..<depth] + [token]), from: nil, to: inner)
            }
            switch here {
            case .object(let object):
                guard let next = object[token] else { return adding(at: token) }
                here = next
            case .array(let array):
                let index = token == "-" ? array.count : JSONPointer.index(token)
                guard let index, index <= array.count else { throw JSONEditError(.missing, path) }
                if index == array.count { return adding(at: String(index)) }
                here = array[index]
            default: throw JSONEditError(.missing, path)
            }
        }
        return JSONChange(at: path, from: here, to: value)
    }
}

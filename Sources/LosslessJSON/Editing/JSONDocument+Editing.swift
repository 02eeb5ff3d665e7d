extension JSONDocument {
    /// Returns the document with `changes` applied in order, as ``JSON/difference(from:)`` lists them.
    ///
    /// The edit touches only the bytes of changed values, and those of added and removed members and elements together
    /// with their commas and their own comments. A change whose new value equals the current value has no effect. The
    /// old values of the changes are not compared with the document.
    ///
    /// The text is scanned once (twice inside objects with duplicate keys), and in a document that is edited again and
    /// again only near the changes. The new value shares its unchanged parts with the current one.
    ///
    /// - Throws: ``JSONEditError`` for the first change that cannot be applied.
    public func applying(_ changes: some Sequence<JSONChange>) throws(JSONEditError) -> JSONDocument {
        var revision: Revision?
        for change in changes { try revision.apply(ChangeStep(change), to: value) }
        guard let revision else { return self }
        return try revised(by: revision)
    }

    /// Returns the document with `value` at `path`. Creates missing intermediate objects.
    ///
    /// A path that ends at the end of an array, written as its count or as `-`, appends the value.
    ///
    /// - Throws: ``JSONEditError`` if no container at `path` can hold the value.
    public func setting(_ path: JSONPointer, to value: JSON) throws(JSONEditError) -> JSONDocument {
        try applying([self.value.change(setting: path, to: value)])
    }

    /// Returns the document without the value at `path`.
    ///
    /// - Throws: ``JSONEditError`` if there is no value at `path`, or if `path` is the root.
    public func removing(_ path: JSONPointer) throws(JSONEditError) -> JSONDocument {
        guard let old = value[at: path] else { throw JSONEditError(.missing, path) }
        return try applying([JSONChange(at: path, from: old, to: nil)])
    }
}

extension JSON {
    /// Returns the value with `changes` applied in order, as ``difference(from:)`` lists them.
    ///
    /// The result shares its unchanged parts with this value. The old values of the changes are not compared with it.
    ///
    /// - Throws: ``JSONEditError`` for the first change that cannot be applied.
    public func applying(_ changes: some Sequence<JSONChange>) throws(JSONEditError) -> JSON {
        var revision: Revision?
        for change in changes { try revision.apply(ChangeStep(change), to: self) }
        return revision?.applied(to: self, keepsPositions: false) ?? self
    }

    /// Returns a copy with `value` at `path`. Creates missing intermediate objects.
    ///
    /// A path that ends at the end of an array, written as its count or as `-`, appends the value.
    ///
    /// - Throws: ``JSONEditError`` if no container at `path` can hold the value.
    public func setting(_ path: JSONPointer, to value: JSON) throws(JSONEditError) -> JSON {
        if let result = settingMember(path.tokens[...], to: value) { return result }
        return try applying([change(setting: path, to: value)])
    }

    /// The usual case: the path leads through existing objects. nil if it does not.
    private func settingMember(_ path: ArraySlice<String>, to value: JSON) -> JSON? {
        guard case .object(var object) = self, let key = path.first, path.endIndex <= JSONDocument.deepestNesting else {
            return nil
        }
        if path.count == 1 {
            object[key] = value
        } else {
            guard let inner = object[key]?.settingMember(path.dropFirst(), to: value) else { return nil }
            object[key] = inner
        }
        return .object(object)
    }

    /// Returns a copy without the value at `path`.
    ///
    /// - Throws: ``JSONEditError`` if there is no value at `path`, or if `path` is the root.
    public func removing(_ path: JSONPointer) throws(JSONEditError) -> JSON {
        guard let old = self[at: path] else { throw JSONEditError(.missing, path) }
        return try applying([JSONChange(at: path, from: old, to: nil)])
    }

    /// The change that sets `path` to `value`, including the missing intermediate objects.
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

/// The reason why a change cannot be applied.
public struct JSONEditError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: String, Sendable {
        /// Nothing exists at the path to change or remove, or no container there can hold the new value.
        case missing
        /// A value already exists where one is to be added.
        case present
        /// The change would remove the root, which would leave no JSON.
        case root
        /// The result would be nested deeper than the document's limit.
        case depth
        /// The text would be longer than the document's limit.
        case size
    }

    /// The kind of error.
    public let code: Code

    /// The path of the change; the root if a limit of the document is exceeded.
    public let path: JSONPointer

    init(_ code: Code, _ path: JSONPointer) { (self.code, self.path) = (code, path) }

    /// The error as one line of text.
    public var description: String {
        let subject = path.isRoot ? "the whole value" : "\"\(path.inMessage)\""
        return switch code {
        case .missing: "\(subject) does not exist"
        case .root: "the whole value cannot be removed"
        case .present: "\(subject) already exists"
        case .depth: "the value would be nested deeper than the limit allows"
        case .size: "the text would be longer than the limit allows"
        }
    }
}

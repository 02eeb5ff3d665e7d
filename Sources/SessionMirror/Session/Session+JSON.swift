public import LosslessJSON

extension Session where Root == JSON {
    /// The latest value of a member; nil if there is none.
    @inlinable
    public subscript(_ key: String) -> JSON? { published.read { $0.root[key] } }

    /// The latest value two levels deep: `session["http", "port"]`.
    @inlinable
    public subscript(_ first: String, _ second: String) -> JSON? { published.read { $0.root[first]?[second] } }

    /// The latest value along a path of keys, however deep.
    @inlinable
    public subscript(_ first: String, _ second: String, _ third: String, _ more: String...) -> JSON? {
        published.read { edition in
            var value = edition.root[first]?[second]?[third]
            for key in more { value = value?[key] }
            return value
        }
    }

    /// The latest value at a pointer: `session[at: "/http/ports/0"]`.
    public subscript(at pointer: JSONPointer) -> JSON? { published.read { $0.root[at: pointer] } }
}

public import LosslessJSON

extension Session where Root == JSON {
    /// The latest value of a member; nil if there is none.
    @inlinable
    public subscript(_ key: String) -> JSON? { published.read { $0.root[key] } }

    /// The latest value two levels deep: `session["http", "port"]`.
    @inlinable
    public subscript(_ first: String, _ second: String) -> JSON? { published.read { $0.root[first, second] } }

    /// The latest value three levels deep; take a pointer for what lies deeper.
    @inlinable
    public subscript(_ first: String, _ second: String, _ third: String) -> JSON? {
        published.read { $0.root[first, second, third] }
    }

    /// The latest value at a pointer: `session[at: "/http/ports/0"]`.
    public subscript(at pointer: JSONPointer) -> JSON? { published.read { $0.root[at: pointer] } }
}

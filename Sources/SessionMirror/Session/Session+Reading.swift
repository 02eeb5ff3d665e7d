extension Session {
    /// The latest value at a key path: `session.port`.
    @inlinable
    public subscript<Value>(dynamicMember keyPath: KeyPath<Root, Value>) -> Value {
        published.read { $0.root[keyPath: keyPath] }
    }

    /// The latest value at a key path, also where a member of the session has the name: `session[\.snapshot]`.
    @inlinable
    public subscript<Value>(_ keyPath: KeyPath<Root, Value>) -> Value { published.read { $0.root[keyPath: keyPath] } }

    /// Runs `body` with the latest value, all of one version; nothing is copied for it.
    ///
    /// The version is kept from being freed while `body` runs, and so are those after it: keep it short, and take a
    /// ``snapshot`` for anything longer.
    @inlinable
    public func read<Result, Failure: Error>(
        _ body: (borrowing Root) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try published.read { (edition) throws(Failure) -> Result in try body(edition.root) }
    }

    /// The latest version, to keep.
    public var snapshot: Snapshot<Root> { Snapshot(published.current) }
}

public import LosslessJSON

// Always inlined into the caller, where the key path is a constant: a function of its own, which the compiler otherwise
// makes of a read that occurs in several places, would evaluate the key path at each call, twenty times as slow.
extension Session {
    /// The current value at a key path: `session.port`.
    ///
    /// A key path that traps ends the process. Access an array element, which the file may remove, as
    /// `session[\.list[at: 0]]`.
    @inlinable
    public subscript<Value>(dynamicMember keyPath: KeyPath<Root, Value>) -> Value {
        @inline(__always) get { snapshotCell.read { $0.root[keyPath: keyPath] } }
        @available(*, unavailable, message: "use update { }: try session.update { $0.port = 9090 }")
        set { _ = newValue }
    }

    /// The current value at a key path, including properties whose names a member of `Session` hides:
    /// `session[\.snapshot]`.
    @inlinable
    public subscript<Value>(_ keyPath: KeyPath<Root, Value>) -> Value {
        @inline(__always) get { snapshotCell.read { $0.root[keyPath: keyPath] } }
        @available(*, unavailable, message: "use update { }: try session.update { $0.port = 9090 }")
        set { _ = newValue }
    }

    /// Calls `body` with the current value, without copying it.
    ///
    /// While `body` runs, this version and all later ones stay in memory. Keep it short, and take a ``snapshot`` for
    /// anything longer.
    @inlinable @inline(__always)
    public func read<Result, Failure: Error>(
        _ body: (borrowing Root) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try snapshotCell.read { (snapshot) throws(Failure) -> Result in try body(snapshot.root) }
    }

    /// The current version, which you can keep.
    @inlinable
    public var snapshot: Snapshot<Root> { Snapshot(snapshotCell.current) }
}

extension Session where Root == JSON {
    /// The current value of a member; nil if there is none.
    @inlinable
    public subscript(_ key: String) -> JSON? { snapshotCell.read { $0.root[key] } }

    /// The current value two levels deep: `session["http", "port"]`.
    @inlinable
    public subscript(_ first: String, _ second: String) -> JSON? { snapshotCell.read { $0.root[first, second] } }

    /// The current value three levels deep. For deeper levels, use a pointer.
    @inlinable
    public subscript(_ first: String, _ second: String, _ third: String) -> JSON? {
        snapshotCell.read { $0.root[first, second, third] }
    }

    /// The current value at a pointer: `session[at: "/http/ports/0"]`.
    public subscript(at pointer: JSONPointer) -> JSON? { snapshotCell.read { $0.root[at: pointer] } }
}

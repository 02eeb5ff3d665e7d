extension Session {
    /// Changes the value: readers see the change when this returns.
    ///
    /// ```swift
    /// session.update { $0.port = 9090 }
    /// ```
    ///
    /// `change` runs exactly once, alone among updates; readers meanwhile see the version before. If it throws, nothing
    /// changes. An update inside `change` is a mistake of the program and traps; inside a callback it is fine.
    ///
    /// - Throws: What `change` throws, or a ``SessionError``: if the session was closed, in the child of a fork, and for
    ///   sessions that are read-only. Those of a file are so far, and constant ones.
    public func update<Result: Sendable>(_ change: (inout Root) throws -> Result) throws -> Result {
        guard case .memory(let writer) = source else {
            throw SessionError(.readOnly, "this session is read-only: its value cannot be changed by the program")
        }
        return try writer.update(change)
    }
}

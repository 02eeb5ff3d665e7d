public import LosslessJSON

extension Session {
    /// Changes the value in memory. Readers see the change when this returns; the file is saved soon after.
    ///
    /// ```swift
    /// try session.update { $0.port = 9090 }
    /// ```
    ///
    /// `change` runs exactly once, and never concurrently with other changes of this session; readers meanwhile see the
    /// previous version. If it throws, or the session's check rejects the value, nothing changes. Never waits for the
    /// disk: an update during a ``commit(_:)`` of this session builds on the committed value, which readers then see a
    /// moment before it is durable. May be called inside a callback. Traps inside another change of the same session.
    ///
    /// Copies each collection that it changes, because readers may have the previous version.
    ///
    /// - Throws: The error of `change` or the check, or a ``SessionError`` if the session is closed, constant or read-only,
    ///   and in the child of a fork.
    public func update<Result>(_ change: (inout Root) throws -> Result) throws -> Result {
        try writer.update(change)
    }

    /// Sets a value of the file's JSON tree, including keys that `Root` does not know.
    ///
    /// ```swift
    /// try session.set("/limits/burst", to: 250)
    /// try session.set("/notes/today", to: "rain")
    /// ```
    ///
    /// Creates missing intermediate objects. Otherwise behaves like ``update(_:)``.
    ///
    /// - Parameters:
    ///   - pointer: The path of the value.
    ///   - value: The new value; nil removes the value.
    /// - Throws: The errors of ``update(_:)``; a `JSONEditError` if the path is invalid; the decoding error, or a
    ///   `SessionProblem` for a file that several types share, if `Root` rejects the value.
    public func set(_ pointer: JSONPointer, to value: JSON?) throws {
        try writer.edit { tree in
            if let value { try tree.setting(pointer, to: value) } else { try tree.removing(pointer) }
        }
    }

    /// Changes the value in memory, in the file and on the disk. When this returns, the change survives a power
    /// failure.
    ///
    /// ```swift
    /// let number = try await session.commit { value in
    ///     value.hits += 1
    ///     return value.hits
    /// }
    /// ```
    ///
    /// A commit is one atomic step among processes that use this library: `change` receives the current content of the
    /// file merged with all pending changes of this session, and no other such process changes the file before the
    /// result is written, unless one holds the directory lock for more than 5 s. Concurrent commits are written
    /// together. `change` runs again only if a program that does not use this library changed the file meanwhile, so
    /// that the result was not written. Cancelling the task does not cancel the commit.
    ///
    /// If an ``update(_:)`` was built on the change while it was being written, and a program that does not use this
    /// library changed the same value just then, the two are merged as those of an update are: the conflict is
    /// reported, as if that program had written right after the commit.
    ///
    /// Waits up to 5 s for the directory lock and up to 2 s for each version that another program has open for writing,
    /// then proceeds; ``FileMirror/lastSave`` reports what could not be guaranteed. Throws if other programs keep
    /// changing the file for 10 s. Waits without a limit for a disk or file server that does not respond.
    ///
    /// - Throws: The error of `change` or the check, and then nothing has changed. The ``SessionProblem`` that prevents
    ///   saving, and then nothing has changed either, unless the problem says that the change was written but is not
    ///   durable yet, or an update was built on the change while it was being written: then both stay pending. A
    ///   ``SessionError`` as for ``update(_:)``.
    public func commit<Result: Sendable>(
        _ change: @escaping @Sendable (inout Root) throws -> Result
    ) async throws -> Result {
        try await writer.commit(change).value()
    }

    /// Commits a change as ``commit(_:)`` does, blocking the thread.
    ///
    /// Traps inside `read` and inside a change of the same session, because it would wait for itself there.
    ///
    /// - Throws: The errors of ``commit(_:)``.
    public func commitBlocking<Result: Sendable>(
        _ change: @escaping @Sendable (inout Root) throws -> Result
    ) throws -> Result {
        try writer.preconditionNotNested("commitBlocking")
        return try writer.commit(change).wait()
    }

    /// Begins to commit a change, on threads of the library. What prevents it has no consequence.
    package func startCommit<Result: Sendable>(_ change: @escaping @Sendable (inout Root) throws -> Result) {
        try? writer.commit(change).start()
    }

    /// Saves pending changes now and waits until they are durable. Returns at once if there are none. Waits for other
    /// processes as long as ``commit(_:)`` does.
    ///
    /// - Throws: The ``SessionProblem`` that prevents saving. The changes stay pending, and saving is retried.
    public func flush() async throws {
        guard let flush = try optionalWriter?.flush() else { return }
        try await flush.value()
    }

    /// Saves pending changes as ``flush()`` does, blocking the thread.
    ///
    /// Traps inside `read` and inside a change of the same session, because it would wait for itself there.
    ///
    /// - Throws: The errors of ``flush()``.
    public func flushBlocking() throws {
        optionalWriter?.preconditionNotNested("flushBlocking")
        try optionalWriter?.flush()?.wait()
    }
}

public import LosslessJSON

extension Session {
    /// Changes the value: readers see the change when this returns, and soon the file has it.
    ///
    /// ```swift
    /// try session.update { $0.port = 9090 }
    /// ```
    ///
    /// `change` runs exactly once, alone among changes of this session; readers meanwhile see the version before. If it
    /// throws, or the session's check refuses the value, nothing changes. While a ``commit(_:)`` of this session is on its
    /// way to the disk, this waits for it. Inside a callback it is fine; inside another change of the same session it is a
    /// mistake of the program and traps.
    ///
    /// - Throws: What `change` or the check throws, or a ``SessionError``: if the session is closed, constant or
    ///   read-only, and in the child of a fork.
    public func update<Result: Sendable>(_ change: (inout Root) throws -> Result) throws -> Result {
        try writer.update(change)
    }

    /// Puts a value into the file's tree, whatever the type of the session's value: also where the type knows no such key.
    ///
    /// ```swift
    /// try session.set("/limits/burst", to: 250)
    /// try session.set("/notes/today", to: "rain")
    /// ```
    ///
    /// Objects on the way that are missing are begun. Otherwise as ``update(_:)``.
    ///
    /// - Parameters:
    ///   - pointer: Where.
    ///   - value: What; nil removes what is there.
    /// - Throws: As ``update(_:)``; also a `JSONEditError` where the path leads nowhere, and what the type has against it.
    public func set(_ pointer: JSONPointer, to value: JSON?) throws {
        try writer.set(pointer, to: value)
    }

    /// Changes the value through to the disk: on return the file has it, and a power failure would not take it.
    ///
    /// ```swift
    /// let number = try await session.commit { value in
    ///     value.hits += 1
    ///     return value.hits
    /// }
    /// ```
    ///
    /// Among processes that use this library it is one step: `change` gets what the file says now with all that is pending
    /// here, and nobody changes the file before its result is in it. Commits that come at the same time are written together.
    /// `change` runs again only if others, who do not know this library, came between and its result did not get into
    /// the file. A task that is cancelled meanwhile gets its answer all the same.
    ///
    /// - Throws: What `change` or the check throws, and then nothing has changed; the ``Problem`` that hinders saving, and
    ///   then nothing has changed either, unless it says that the disk does not confirm it; or a ``SessionError`` as
    ///   ``update(_:)``.
    public func commit<Result: Sendable>(
        _ change: @escaping @Sendable (inout Root) throws -> Result
    ) async throws -> Result {
        try await writer.commit(change).value()
    }

    /// As ``commit(_:)``, for code that is not asynchronous: the thread waits.
    ///
    /// Inside `read`, and inside a change of the same session, it would wait for itself and traps.
    ///
    /// - Throws: As ``commit(_:)``.
    public func commitBlocking<Result: Sendable>(
        _ change: @escaping @Sendable (inout Root) throws -> Result
    ) throws -> Result {
        try writer.requireOutside("commitBlocking")
        return try writer.commit(change).wait()
    }

    /// Saves what is pending now, and waits until the disk has it. Returns at once if nothing is.
    ///
    /// - Throws: The ``Problem`` that hinders saving; what is pending stays in memory and is tried again.
    public func flush() async throws {
        guard let flush = try changer?.flush() else { return }
        try await flush.value()
    }

    /// As ``flush()``, for code that is not asynchronous: the thread waits.
    ///
    /// Inside `read`, and inside a change of the same session, it would wait for itself and traps.
    ///
    /// - Throws: As ``flush()``.
    public func flushBlocking() throws {
        changer?.requireOutside("flushBlocking")
        try changer?.flush()?.wait()
    }
}

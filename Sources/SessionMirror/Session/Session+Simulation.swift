// For tests of programs: simulates what happens to a file, on a session in memory.
extension Session {
    /// Simulates an edit of the file by another program, in a session made by ``init(inMemory:check:)``: subscribers
    /// receive it with the origin ``Origin/external``, and a value that the session's check rejects becomes a problem.
    ///
    /// ```swift
    /// let session = Session(inMemory: Server())
    /// let service = Service(session)
    /// session.simulateEdit { $0.port = 9090 }
    /// ```
    ///
    /// Traps for other sessions.
    public func simulateEdit(_ change: (inout Root) -> Void) {
        guard case .memory(let writer, let status) = source else { preconditionFailure(Self.needsMemory) }
        writer.simulateEdit(change, status)
    }

    /// Simulates a problem, in a session made by ``init(inMemory:check:)``: the status has it, and subscribers receive
    /// it.
    ///
    /// ```swift
    /// session.simulateProblem(SessionProblem(.syntax, in: "server.json", "expected a value"))
    /// ```
    ///
    /// Traps for other sessions.
    public func simulateProblem(_ problem: SessionProblem) {
        guard case .memory(_, let status) = source else { preconditionFailure(Self.needsMemory) }
        status.add(problem)
    }

    /// Simulates the end of all problems, in a session made by ``init(inMemory:check:)``.
    ///
    /// Traps for other sessions.
    public func simulateRecovery() {
        guard case .memory(_, let status) = source else { preconditionFailure(Self.needsMemory) }
        status.recover()
    }

    private static var needsMemory: String { "only a session made by init(inMemory:) can simulate" }
}

extension Session {
    /// Saves pending changes and ends the watch. The value remains readable. Delivers published changes, then finishes
    /// all sequences.
    ///
    /// Suspends the task until the changes are durable, for ten seconds at most, whatever other processes do to the
    /// file. If saving fails, this throws and the session stays open, so that nothing is lost. Releasing the last
    /// reference closes the session, too, but saves in the background and cannot report a failure.
    ///
    /// - Throws: The ``SessionProblem`` that prevents saving; after ten seconds a ``SessionError`` with the code
    ///   ``SessionError/Code-swift.enum/timedOut``, which lists the values that the file does not have.
    public func close() async throws {
        if ForkHandling.isForkedChild { return }
        try await BlockingWork.run(on: .shared) { try self.closeBlocking() }
    }

    /// Closes the session as ``close()`` does, blocking the thread.
    ///
    /// Traps inside `read` and inside a change of the same session, because it would wait for itself there.
    ///
    /// - Throws: The errors of ``close()``.
    public func closeBlocking() throws {
        if ForkHandling.isForkedChild { return }
        preconditionNotNested("closeBlocking")
        try ThreadPool.blocking {
            switch source {
            case .file(let synchronizer, let writer):
                try writer?.closeSaving()
                synchronizer.close(dispatcher)
            case .memory(let writer, _): writer.close()
            case .constant: break
            }
            dispatcher.finish()
        }
    }

    func preconditionNotNested(_ name: String) {
        precondition(!ReadSection.isActive, "\(name) must not be called inside read of a session")
        optionalWriter?.preconditionNotNested(name)
    }
}

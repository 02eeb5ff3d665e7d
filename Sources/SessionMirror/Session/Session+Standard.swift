internal import LosslessJSON

// For sessions that a program uses without handling errors.
extension Session {
    /// Creates a session in memory for a file that cannot be opened at all. Its status has the error as a problem.
    package convenience init(
        _ defaults: Root, inMemoryBecause error: SessionError, _ options: SessionOptions,
        _ check: (@Sendable (Root) throws -> Void)?
    ) {
        self.init(inMemory: defaults, unobservedProblems: options.unobservedProblems, check: check)
        simulateProblem(error.problem ?? SessionProblem(.unreadable, in: MemoryStatus.fileName, error.message))
    }

    /// Changes the value as ``update(_:)`` does. An error becomes a problem.
    package func assign(_ change: (inout Root) -> Void) {
        do {
            try update(change)
        } catch {
            report(rejectedAssignment: error)
        }
    }

    var secrets: JSONSecrets {
        if case .file(let synchronizer, _) = source { synchronizer.loader.reconciler.secrets } else { [] }
    }

    package func report(rejectedAssignment error: any Error) {
        // After a fork, a lock that another thread of the parent held stays locked forever.
        if ForkHandling.isForkedChild { return }
        let problem = SessionProblem(
            rejectedAssignment: error, in: mirror.path ?? MemoryStatus.fileName, hiding: secrets)
        switch source {
        case .file(let synchronizer, _): synchronizer.process { $0.reportWithoutRecovery(problem) }
        case .memory(_, let status), .constant(let status): status.add(problem)
        }
    }
}

extension SessionProblem {
    fileprivate init(rejectedAssignment error: any Error, in file: String, hiding secrets: JSONSecrets) {
        let rejection = "a value that the program assigned was rejected"
        if let problem = error as? SessionProblem {
            self.init(.rejectedAssignment, in: file, at: problem.path, "\(rejection): \(problem.message)")
            return
        }
        // The rejected value is in no tree to look for secrets in.
        let reason = secrets.isEmpty || error is SessionError ? ": \(error)" : ""
        self.init(.rejectedAssignment, in: file, at: (error as? ValidationError)?.path, "\(rejection)\(reason)")
    }
}

internal import Locking

extension Writer {
    /// Prepares a commit.
    func commit<Result: Sendable>(
        _ change: @escaping @Sendable (inout Root) throws -> Result
    ) throws -> PendingCommit<Result> {
        if ForkHandling.isForkedChild { throw SessionError.forked }
        try requireOpen()
        switch destination {
        case .memory: return PendingCommit(done: try update(change))
        case .file(let synchronizer):
            let box = ResultBox<Result>()
            return PendingCommit(box, on: synchronizer) { snapshot, version in
                let before = self.snapshotCell.updateBase(of: snapshot)
                var next = snapshot
                box.put(try self.changed(before, version, into: &next, change))
                return next
            }
        }
    }

    /// Saves pending changes and rejects later ones; if they cannot be saved within `limit`, the session stays open.
    func closeSaving(within limit: Duration = .seconds(10)) throws {
        lifecycle.withLock { $0.beginClosing() }
        do {
            try saveAll(within: limit)
        } catch let error as SessionError where error.code == .closed {
        } catch {
            let isClosed = lifecycle.withLock { lifecycle in
                lifecycle.cancelClosing()
                return lifecycle.isClosed
            }
            // Another thread has closed the session, so everything is saved.
            if isClosed { return }
            throw error
        }
        close()
    }

    /// Saves pending changes, including a running one, which is the last.
    private func saveAll(within limit: Duration) throws {
        let deadline = Instant.now + limit
        if updateLock.lock(until: deadline) {
            updateLock.unlock()
            guard let flush = try flush() else { return }
            if try flush.wait(until: deadline) { return }
        }
        guard case .file(let synchronizer) = destination else {
            throw SessionError(.timedOut, "a change of the session did not end in time")
        }
        throw SessionError(unsaved: synchronizer.unsavedPaths, of: synchronizer.path, after: limit)
    }

    /// Prepares a save of the pending changes; nil if there are none.
    func flush() throws -> PendingCommit<Void>? {
        if ForkHandling.isForkedChild { throw SessionError.forked }
        guard case .file(let synchronizer) = destination, synchronizer.needsSaving else { return nil }
        return PendingCommit(ResultBox(()), on: synchronizer, nil)
    }
}

/// The result of the last run of a change.
final class ResultBox<Value: Sendable>: Sendable {
    let value: Lock<Value?>

    init(_ value: Value? = nil) { self.value = Lock(value) }

    /// Releases the previous result outside the lock, because its deinit may run user code.
    func put(_ value: Value) {
        _ = self.value.withLock { old in
            defer { old = value }
            return old
        }
    }
}

/// A commit or flush that starts when the caller waits for it.
struct PendingCommit<Result: Sendable>: Sendable {
    private let box: ResultBox<Result>
    private let synchronizer: FileSynchronizer?
    private let change: SaveRequest.Change?
    private let replacement: TextReplacement?

    init(
        _ box: ResultBox<Result>, on synchronizer: FileSynchronizer, _ change: SaveRequest.Change?,
        _ replacement: TextReplacement? = nil
    ) {
        (self.box, self.synchronizer, self.change, self.replacement) = (box, synchronizer, change, replacement)
    }

    /// Creates a commit that is complete.
    init(done result: Result) { (box, synchronizer, change, replacement) = (ResultBox(result), nil, nil, nil) }

    private func begin(savingHere: Bool, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
        guard let synchronizer else { return completion(nil) }
        ThreadPool.blocking {
            synchronizer.submit(
                SaveRequest(change: change, replacement: replacement, completion: completion), savingHere: savingHere)
        }
    }

    /// Lets a worker save, without waiting for it.
    func start() { begin(savingHere: false) { _ in } }

    /// Suspends the task while a worker saves.
    func value() async throws -> Result {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            begin(savingHere: false) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
            synchronizer?.pool.helpIfUnattended()
        }
        return box.value.withLock { $0! }
    }

    /// Saves on this thread, unless another thread is saving; then sleeps until the save is complete.
    @discardableResult
    func wait() throws -> Result {
        _ = try wait(savingHere: true, until: .distantFuture)
        return box.value.withLock { $0! }
    }

    /// Sleeps while a worker saves, which the system may block forever; false if the deadline passed first.
    func wait(until deadline: Instant) throws -> Bool { try wait(savingHere: false, until: deadline) }

    private func wait(savingHere: Bool, until deadline: Instant) throws -> Bool {
        let result = ResultBox<(any Error)?>()
        let isFinished = CountingSemaphore()
        begin(savingHere: savingHere) { error in
            result.value.withLock { $0 = .some(error) }
            isFinished.signal()
        }
        guard (synchronizer?.pool ?? .shared).sleep(on: isFinished, until: deadline) else { return false }
        if let error = result.value.withLock({ $0! }) { throw error }
        return true
    }
}

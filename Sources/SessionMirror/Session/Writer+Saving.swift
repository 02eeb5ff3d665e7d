internal import Locking

extension Writer {
    /// A commit that is to begin.
    func commit<Result: Sendable>(
        _ change: @escaping @Sendable (inout Root) throws -> Result
    ) throws -> Commit<Result> {
        if Forking.madeThisProcess { throw SessionError.forked }
        try requireOpen()
        switch destination {
        case .memory: return Commit(done: try update(change))
        case .file(let mirroring):
            let outcome = Outcome<Result>()
            return Commit(outcome, on: mirroring) { edition, version in
                let (next, result) = try self.changed(unsafeDowncast(edition, to: Edition<Root>.self), version, change)
                outcome.value.withLock { $0 = result }
                return next
            }
        }
    }

    /// Saves what is pending and lets nothing more come; if it cannot be saved, goes on.
    func closeSaving() throws {
        requireOutside("close")
        // Who changes something now has ended by then.
        turn.take { close() }
        do {
            try flush()?.wait()
        } catch let error as SessionError where error.code == .closed {
            return
        } catch {
            close(false)
            throw error
        }
    }

    /// The saving of what is pending; nil if nothing is.
    func flush() throws -> Commit<Void>? {
        if Forking.madeThisProcess { throw SessionError.forked }
        guard case .file(let mirroring) = destination, mirroring.isToBeSaved else { return nil }
        return Commit(Outcome(()), on: mirroring, nil)
    }
}

/// What a change returned when it ran last.
final class Outcome<Value: Sendable>: Sendable {
    let value: Lock<Value?>

    init(_ value: Value? = nil) { self.value = Lock(value) }
}

/// Somebody waits for the disk.
struct Commit<Result: Sendable>: Sendable {
    private let outcome: Outcome<Result>
    private let mirroring: Mirroring?
    private let change: SaveRequest.Change?

    init(_ outcome: Outcome<Result>, on mirroring: Mirroring, _ change: SaveRequest.Change?) {
        (self.outcome, self.mirroring, self.change) = (outcome, mirroring, change)
    }

    /// One for which there was nothing to wait.
    init(done result: Result) { (outcome, mirroring, change) = (Outcome(result), nil, nil) }

    private func begin(savingHere: Bool, _ answer: @escaping @Sendable ((any Error)?) -> Void) {
        guard let mirroring else { return answer(nil) }
        mirroring.want(SaveRequest(change: change, answer: answer), savingHere: savingHere)
    }

    /// Waits while a worker saves.
    func value() async throws -> Result {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            begin(savingHere: false) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
        return outcome.value.withLock { $0! }
    }

    /// Saves on this thread unless another one is saving; then sleeps until it is over.
    @discardableResult
    func wait() throws -> Result {
        let error = Outcome<(any Error)?>()
        let isOver = Parking()
        begin(savingHere: true) { answer in
            error.value.withLock { $0 = .some(answer) }
            isOver.wake()
        }
        isOver.sleep()
        if let error = error.value.withLock({ $0! }) { throw error }
        return outcome.value.withLock { $0! }
    }
}

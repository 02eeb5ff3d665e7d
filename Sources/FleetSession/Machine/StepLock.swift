internal import DurableFiles
internal import EtcdClient
internal import Locking
internal import SessionMirror

/// The lock that a step or a commit holds: of one task of this process at a time, first come, first served, and of one
/// process of the machine. Waiting for it blocks no thread of the caller, and can be given up.
final class StepLock: Sendable {
    private struct State {
        /// Whether a task has the lock, or a thread waits for that of the file.
        var isTaken = false
        var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
        var lastNumber = 0
        /// The tasks that do not wait yet, with why they give up.
        var arriving: [Int: (any Error)?] = [:]
    }

    private let file: FileLock
    private let state = Lock(State())

    init(_ file: FileLock) { self.file = file }

    /// Waits for the lock.
    ///
    /// - Throws: After `deadline`, an ``EtcdError``; if the task is cancelled, a `CancellationError`; if the file cannot be
    ///   locked, a `FileError`.
    func lock(until deadline: Instant? = nil) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.arriving.updateValue(nil, forKey: state.lastNumber)
            return state.lastNumber
        }
        let timer = deadline.map { deadline in
            Task {
                try await Task.sleep(for: deadline - .now)
                giveUp(
                    number,
                    EtcdError(.unreachable, "the change was not made: earlier ones of this machine took too long"))
            }
        }
        defer { timer?.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait(number, $0) }
        } onCancel: {
            giveUp(number, CancellationError())
        }
    }

    func unlock() {
        file.unlock()
        pass()
    }

    private func wait(_ number: Int, _ continuation: CheckedContinuation<Void, any Error>) {
        let (isFirst, reason) = state.withLock { state -> (Bool, (any Error)?) in
            if let reason = state.arriving.removeValue(forKey: number) ?? nil { return (false, reason) }
            state.waiting.append((number, continuation))
            defer { state.isTaken = true }
            return (!state.isTaken, nil)
        }
        if let reason { continuation.resume(throwing: reason) }
        if isFirst { lockFile() }
    }

    private func giveUp(_ number: Int, _ reason: any Error) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
                // Unless it has stopped waiting.
                if state.arriving[number] != nil { state.arriving[number] = reason }
                return nil
            }
            return state.waiting.remove(at: index).continuation
        }
        continuation?.resume(throwing: reason)
    }

    /// Locks the file for the first task that waits, if it still does then.
    private func lockFile() {
        if file.tryLock() { return enter() }
        Task.detached { [self] in
            do throws(FileError) {
                try await file.lock()
                enter()
            } catch {
                fail(error)
            }
        }
    }

    /// The file is locked.
    private func enter() {
        if let first = firstWaiting() { first.resume() } else { unlock() }
    }

    /// The file could not be locked.
    private func fail(_ failure: FileError) {
        firstWaiting()?.resume(throwing: failure)
        pass()
    }

    private func firstWaiting() -> CheckedContinuation<Void, any Error>? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst().continuation }
    }

    /// Lets the next task try.
    private func pass() {
        let isWanted = state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            return state.isTaken
        }
        if isWanted { lockFile() }
    }
}

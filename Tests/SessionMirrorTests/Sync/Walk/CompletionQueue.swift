import Locking

@testable import SessionMirror

/// The completions of requests, until the simulation handles them. Shared by the copies of a simulation.
final class CompletionQueue: Sendable {
    struct Completion {
        let number: Int
        let error: (any Error)?
    }

    private let completions = Lock<[Completion]>([])

    func append(_ completion: Completion) { completions.withLock { $0.append(completion) } }

    func takeAll() -> [Completion] {
        completions.withLock { completions in
            defer { completions = [] }
            return completions
        }
    }
}

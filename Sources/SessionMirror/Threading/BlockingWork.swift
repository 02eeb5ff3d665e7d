/// Work that blocks its thread, for asynchronous functions, whose threads must not be blocked.
package enum BlockingWork {
    /// Runs `body` on a thread of the library, and suspends the task until it returns.
    package static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            ThreadPool.shared.run {
                continuation.resume(with: Swift.Result { try ThreadPool.blocking { try body() } })
            }
            ThreadPool.shared.helpIfUnattended()
        }
    }
}

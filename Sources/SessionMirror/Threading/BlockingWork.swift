/// Work that blocks its thread, for asynchronous functions, whose threads must not be blocked.
package enum BlockingWork {
    /// Not the shared pool: such work waits for jobs of that pool, which could not run if it occupied all its threads.
    private static let pool = ThreadPool(name: "session-waiter", concurrency: 16, stallTimeout: .seconds(1))

    /// Runs `body` on a thread of the library, and suspends the task until it returns.
    package static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await run(on: pool, body)
    }

    static func run<Result: Sendable>(
        on pool: ThreadPool, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            pool.run {
                continuation.resume(with: Swift.Result { try ThreadPool.blocking { try body() } })
            }
            pool.helpIfUnattended()
        }
    }
}

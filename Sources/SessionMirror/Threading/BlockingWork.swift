/// Work that blocks its thread, for asynchronous functions, whose threads must not be blocked.
package enum BlockingWork {
    /// Not the shared pool: such work waits for jobs of that pool, which could not run if it occupied all its threads.
    private static let pool = ThreadPool(name: "session-waiter", concurrency: 16, stallTimeout: .seconds(1))

    /// Runs `body` on a thread of the library, and suspends the task until it returns.
    package static func run<Result: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await run(on: pool, body)
    }

    static func run<Result: Sendable, Failure: Error>(
        on pool: ThreadPool, _ body: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Swift.Result<Result, Failure>, Never>) in
            pool.run {
                do throws(Failure) {
                    continuation.resume(returning: .success(try ThreadPool.blocking(body)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            pool.helpIfUnattended()
        }
        return try result.get()
    }
}

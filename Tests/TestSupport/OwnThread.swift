import Dispatch
package import Testing

extension Trait where Self == OwnThread {
    /// Runs each test on a thread of its own, so that it may block that: start programs and wait for what they say.
    ///
    /// The tasks of all tests, and those of the library in this process, run on one thread for each processor. Two tests
    /// that block these stop everything on a machine with two processors, until a commit has waited too long.
    package static var ownThread: Self { OwnThread() }
}

package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await Self.run(function)
    }

    static func run(_ body: @Sendable @concurrent () async throws -> Void) async rethrows {
        try await withTaskExecutorPreference(ThreadExecutor(), operation: body)
    }
}

private final class ThreadExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "test")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

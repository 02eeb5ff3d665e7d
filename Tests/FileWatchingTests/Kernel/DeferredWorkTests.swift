import Glibc
import Locking
import TestSupport
import Testing

@testable import FileWatching

extension KernelTests {
    /// Work that runs on the watching thread after its handlers.
    @Suite struct DeferredWorkTests {
        let folder: TemporaryFolder
        let path: String

        init() throws {
            folder = try TemporaryFolder()
            path = folder.path(of: "a")
            try folder.write("a", "{}")
        }

        /// What happened to the work that one watch deferred.
        private struct Log {
            var refused = 0
            var accepted = 0
            var done: [(work: pthread_t, handler: pthread_t)] = []
            var takeovers = 0
        }

        private func watch(_ log: Lock<Log>, _ work: @escaping @Sendable () -> Void = {}) throws -> FileWatch {
            try FileWatch(path) { _ in
                let handler = pthread_self()
                let isAccepted = FileWatch.runAfterHandlers(
                    {
                        log.withLock { $0.done.append((pthread_self(), handler)) }
                        work()
                    }, onTakeover: { log.withLock { $0.takeovers += 1 } })
                log.withLock { if isAccepted { $0.accepted += 1 } else { $0.refused += 1 } }
            }
        }

        /// At the first edit there is no follower yet.
        private func editUntilAccepted(_ log: Lock<Log>) {
            eventually("work is accepted") {
                try? folder.append("a", " ")
                return log.withLock { $0.accepted > 0 }
            }
        }

        @Test("Deferred work runs on the thread that called the handler, which then watches again")
        func sameThread() throws {
            let log = Lock(Log())
            let watch = try watch(log)
            editUntilAccepted(log)
            eventually("the work is done") { log.withLock { $0.done.count == $0.accepted } }
            let other = try WatchedFile(path)
            for _ in 0..<20 { try other.expectChange("a write") { try folder.append("a", " ") } }
            #expect(log.withLock { $0.done.allSatisfy { pthread_equal($0.work, $0.handler) != 0 } })
            withExtendedLifetime((watch, other)) {}
        }

        @Test("Deferred work that does not end blocks no signals and causes one takeover")
        func blocked() throws {
            let log = Lock(Log())
            let end = Future<Bool>()
            let watch = try watch(log) { _ = end.wait() }
            let other = try WatchedFile(path)
            editUntilAccepted(log)
            for _ in 0..<3 { try other.expectChange("a write") { try folder.append("a", " ") } }
            #expect(log.withLock { ($0.accepted, $0.done.count, $0.refused > 2, $0.takeovers) } == (1, 1, true, 1))
            watch.cancel()
            end.set(true)
            withExtendedLifetime(other) {}
        }

        @Test("A request waits for a few pieces of deferred work at most")
        func muchWork() throws {
            let log = Lock(Log())
            // Long enough that the next event waits when it ends, too short for a takeover.
            let watch = try watch(log) { usleep(50) }
            let waits = Lock<[Int]>([])
            onThreads(2) { thread in
                while waits.withLock({ $0.count < 50 }) {
                    if thread == 0 {
                        try? folder.append("a", " ")
                    } else if log.withLock({ $0.done.count > 100 }) {
                        // Counted where the request runs: the scheduler decides when this thread receives the result.
                        let before = log.withLock { $0.done.count }
                        let granted = WatchService.shared.perform { _ in log.withLock { $0.done.count } }
                        waits.withLock { $0.append(granted - before) }
                    }
                }
            }
            let median = waits.withLock { $0.sorted()[$0.count / 2] }
            #expect(median <= 5, "a request waits for one or two pieces of work")
            withExtendedLifetime(watch) {}
        }

        @Test("A handler can defer one piece of work at a time")
        func oneAtATime() throws {
            let results = Lock<[Bool]>([])
            let watch = try FileWatch(path) { _ in
                let both = (0..<2).map { _ in FileWatch.runAfterHandlers({}, onTakeover: {}) }
                results.withLock { $0 = both }
            }
            eventually("the first piece of work is accepted") {
                try? folder.append("a", " ")
                return results.withLock { $0.first == true }
            }
            #expect(results.withLock { $0.map(\.self) } == [true, false])
            withExtendedLifetime(watch) {}
        }

        @Test("Work cannot be deferred outside a handler") func outside() {
            #expect(!FileWatch.runAfterHandlers({}, onTakeover: {}))
        }
    }
}

import Glibc
import Locking
import TestSupport
import Testing

@testable import FileWatching

extension KernelTests {
    /// What the thread that calls a handler does afterwards, while another one watches.
    @Suite struct ErrandTests {
        let folder: TemporaryFolder
        let path: String

        init() throws {
            folder = try TemporaryFolder()
            path = folder.path(of: "a")
            try folder.write("a", "{}")
        }

        /// What became of the errands of one watch.
        private struct Log {
            var refused = 0
            var promised = 0
            var done: [(errand: pthread_t, handler: pthread_t)] = []
            var longOnes = 0
        }

        private func watch(_ log: Lock<Log>, _ errand: @escaping @Sendable () -> Void = {}) throws -> FileWatch {
            try FileWatch(path) { _ in
                let handler = pthread_self()
                let isPromised = FileWatch.afterHandlers(
                    do: {
                        log.withLock { $0.done.append((pthread_self(), handler)) }
                        errand()
                    }, ifLong: { log.withLock { $0.longOnes += 1 } })
                log.withLock { if isPromised { $0.promised += 1 } else { $0.refused += 1 } }
            }
        }

        /// The first edit finds nobody who could watch instead.
        private func editUntilPromised(_ log: Lock<Log>) {
            eventually("an errand is promised") {
                try? folder.append("a", " ")
                return log.withLock { $0.promised > 0 }
            }
        }

        @Test("is done by the thread that was told, which then watches again")
        func sameThread() throws {
            let log = Lock(Log())
            let watch = try watch(log)
            editUntilPromised(log)
            eventually("it is done") { log.withLock { $0.done.count == $0.promised } }
            let other = try WatchedFile(path)
            for _ in 0..<20 { try other.expectLook("a write") { try folder.append("a", " ") } }
            #expect(log.withLock { $0.done.allSatisfy { pthread_equal($0.errand, $0.handler) != 0 } })
            withExtendedLifetime((watch, other)) {}
        }

        @Test("that does not end keeps nothing from being told, and gets no company")
        func blocked() throws {
            let log = Lock(Log())
            let end = Reply<Bool>()
            let watch = try watch(log) { _ = end.wait() }
            let other = try WatchedFile(path)
            editUntilPromised(log)
            for _ in 0..<3 { try other.expectLook("a write") { try folder.append("a", " ") } }
            #expect(log.withLock { ($0.promised, $0.done.count, $0.refused > 2, $0.longOnes) } == (1, 1, true, 1))
            watch.cancel()
            end.send(true)
            withExtendedLifetime(other) {}
        }

        @Test("and many others after it keep nothing else from being done, however many there are")
        func manyErrands() throws {
            let log = Lock(Log())
            // Long enough for the next event to wait when it is over, too short for another thread to take over.
            let watch = try watch(log) { usleep(50) }
            let waits = Lock<[Int]>([])
            onThreads(2) { thread in
                while waits.withLock({ $0.count < 50 }) {
                    if thread == 0 {
                        try? folder.append("a", " ")
                    } else if log.withLock({ $0.done.count > 100 }) {
                        // Counted where the wish is granted: when this thread hears of it is for the machine to decide.
                        let before = log.withLock { $0.done.count }
                        let granted = Hub.shared.ask { _ in log.withLock { $0.done.count } }
                        waits.withLock { $0.append(granted - before) }
                    }
                }
            }
            let median = waits.withLock { $0.sorted()[$0.count / 2] }
            #expect(median <= 5, "a wish waits for one errand or two")
            withExtendedLifetime(watch) {}
        }

        @Test("one is promised at a time")
        func oneAtATime() throws {
            let answers = Lock<[Bool]>([])
            let watch = try FileWatch(path) { _ in
                let both = [FileWatch.afterHandlers(do: {}, ifLong: {}), FileWatch.afterHandlers(do: {}, ifLong: {})]
                answers.withLock { $0 = both }
            }
            eventually("the first is promised") {
                try? folder.append("a", " ")
                return answers.withLock { $0.first == true }
            }
            #expect(answers.withLock { $0.map(\.self) } == [true, false])
            withExtendedLifetime(watch) {}
        }

        @Test("cannot be asked for outside a handler") func outside() {
            #expect(!FileWatch.afterHandlers(do: {}, ifLong: {}))
        }
    }
}

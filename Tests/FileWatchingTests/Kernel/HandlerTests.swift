import Glibc
import Locking
import TestSupport
import Testing

@testable import FileWatching

extension KernelTests {
    /// What handlers may do, and when they are released.
    @Suite struct HandlerTests {
        let folder: TemporaryFolder
        let path: String

        init() throws {
            folder = try TemporaryFolder()
            path = folder.path(of: "a")
            try folder.write("a", "{}")
        }

        private final class Captured: Sendable {}

        @Test("What a handler captures is released when the watch is cancelled")
        func released() throws {
            weak var remains: Captured?
            let watch: FileWatch
            do {
                let captured = Captured()
                remains = captured
                watch = try FileWatch(path) { _ in withExtendedLifetime(captured) {} }
            }
            #expect(remains != nil)
            watch.cancel()
            eventually("the captured object is released") { remains == nil }
            watch.cancel()
            #expect(watch.status == .live && watch.path == path)
        }

        @Test("A released watch reports nothing more, and its registration is removed")
        func releasedWatch() throws {
            let other = try WatchedFile(path)
            let before = WatchService.shared.perform { $0.registrations.count }
            let changeCount = Lock(0)
            do { _ = try FileWatch(path) { _ in changeCount.withLock { $0 += 1 } } }
            try other.expectChange("a write") { try folder.append("a", " ") }
            let count = changeCount.withLock { $0 }
            #expect(count == 0)
            withExtendedLifetime(other) { #expect(WatchService.shared.perform { $0.registrations.count } == before) }
        }

        @Test("Cancelling does not wait for a handler that runs")
        func doesNotWait() throws {
            let (entered, leave) = (Future<Bool>(), Future<Bool>())
            let watch = try FileWatch(path) { [isFirst = Lock(true)] _ in
                guard
                    isFirst.withLock({ flag in
                        defer { flag = false }
                        return flag
                    })
                else { return }
                entered.set(true)
                _ = leave.wait()
            }
            try folder.append("a", " ")
            #expect(entered.wait())
            watch.cancel()
            leave.set(true)
        }

        @Test("A handler can cancel its own watch")
        func cancelsItself() throws {
            let other = try WatchedFile(path)
            let calls = Lock(0)
            let own = Lock<FileWatch?>(nil)
            let watch = try FileWatch(path) { _ in
                calls.withLock { $0 += 1 }
                own.withLock { $0 }?.cancel()
            }
            own.withLock { $0 = watch }
            for _ in 0..<3 { try other.expectChange("a write") { try folder.append("a", " ") } }
            let count = calls.withLock { $0 }
            #expect(count == 1)
            own.withLock { $0 = nil }
        }

        @Test("A handler can release its own watch while it is called")
        func releasesItself() throws {
            let other = try WatchedFile(path)
            for _ in 0..<50 {
                let own = Lock<FileWatch?>(nil)
                let isCalled = Lock(false)
                let watch = try FileWatch(path) { _ in
                    own.withLock { $0 = nil }
                    isCalled.withLock { $0 = true }
                }
                own.withLock { $0 = consume watch }
                try other.expectChange("a write") { try folder.append("a", " ") }
                eventually("the handler is called") { isCalled.withLock { $0 } }
            }
        }

        @Test("A handler can create a watch, which is active from then on")
        func createsAnother() throws {
            let created = Lock<WatchedFile?>(nil)
            let path = folder.path(of: "b")
            let file = try FileWatch(self.path) { _ in
                created.withLock { if $0 == nil { $0 = try? WatchedFile(path) } }
            }
            try folder.append("a", " ")
            eventually("the watch is created") { created.withLock { $0 != nil } }
            let other = try #require(created.withLock { $0 })
            try other.expectChange("a creation") { try folder.write("b", "") }
            withExtendedLifetime(file) {}
        }

        @Test("No call of a handler begins after its watch was cancelled")
        func cancelledAtAnyMoment() throws {
            let other = try WatchedFile(path)
            for round in 0..<300 {
                let calls = Lock(0)
                let watch = try FileWatch(path) { _ in calls.withLock { $0 += 1 } }
                try folder.append("a", " ")
                for _ in 0..<round { sched_yield() }
                watch.cancel()
                let signals = watch.metrics.signals
                try other.expectChange("a write") { try folder.append("a", " ") }
                #expect(watch.metrics.signals == signals)
                #expect(calls.withLock { $0 } == signals)
            }
        }

        @Test("Handlers run on one thread, on which no signal is delivered")
        func thread() throws {
            let seen = Lock<(name: String, blocked: Bool)?>(nil)
            let watch = try FileWatch(path) { _ in
                var name = [UInt8](repeating: 0, count: 16)
                let descriptor = open("/proc/thread-self/comm", O_RDONLY | O_CLOEXEC)
                name.removeLast(name.count - read(descriptor, &name, name.count))
                close(descriptor)
                var mask = sigset_t()
                pthread_sigmask(SIG_BLOCK, nil, &mask)
                let signals = [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCHLD]
                let isBlocked = signals.allSatisfy { sigismember(&mask, $0) == 1 }
                let text = String(decoding: name.dropLast(), as: UTF8.self)
                seen.withLock { $0 = (text, isBlocked) }
            }
            try folder.append("a", " ")
            eventually("the handler is called") { seen.withLock { $0 != nil } }
            let (name, blocked) = try #require(seen.withLock { $0 })
            #expect(name == "FileWatching" && blocked)
            withExtendedLifetime(watch) {}
        }
    }
}

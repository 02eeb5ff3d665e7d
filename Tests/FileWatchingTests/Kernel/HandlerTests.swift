import Glibc
import Locking
import TestSupport
import Testing

@testable import FileWatching

extension KernelTests {
    /// What handlers may do, and how long they live.
    @Suite struct HandlerTests {
        let folder: TemporaryFolder
        let path: String

        init() throws {
            folder = try TemporaryFolder()
            path = folder.path(of: "a")
            try folder.write("a", "{}")
        }

        private final class Captured: Sendable {}

        @Test("what a handler captures is released when the watch is cancelled")
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
            eventually("it is gone") { remains == nil }
            watch.cancel()
            #expect(watch.status == .live && watch.path == path)
        }

        @Test("a released watch tells nothing more, and is forgotten")
        func releasedWatch() throws {
            let other = try WatchedFile(path)
            let before = Hub.shared.ask { $0.subscriptions.count }
            let looks = Lock(0)
            do { _ = try FileWatch(path) { _ in looks.withLock { $0 += 1 } } }
            try other.expectLook("a write") { try folder.append("a", " ") }
            let count = looks.withLock { $0 }
            #expect(count == 0)
            withExtendedLifetime(other) { #expect(Hub.shared.ask { $0.subscriptions.count } == before) }
        }

        @Test("cancelling does not wait for a handler that runs")
        func doesNotWait() throws {
            let (entered, leave) = (Reply<Bool>(), Reply<Bool>())
            let watch = try FileWatch(path) { [isFirst = Lock(true)] _ in
                guard
                    isFirst.withLock({ flag in
                        defer { flag = false }
                        return flag
                    })
                else { return }
                entered.send(true)
                _ = leave.wait()
            }
            try folder.append("a", " ")
            #expect(entered.wait())
            watch.cancel()
            leave.send(true)
        }

        @Test("a handler cancels its own watch")
        func cancelsItself() throws {
            let other = try WatchedFile(path)
            let calls = Lock(0)
            let own = Lock<FileWatch?>(nil)
            let watch = try FileWatch(path) { _ in
                calls.withLock { $0 += 1 }
                own.withLock { $0 }?.cancel()
            }
            own.withLock { $0 = watch }
            for _ in 0..<3 { try other.expectLook("a write") { try folder.append("a", " ") } }
            let count = calls.withLock { $0 }
            #expect(count == 1)
            own.withLock { $0 = nil }
        }

        @Test("a handler releases its own watch, while the hub calls it")
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
                try other.expectLook("a write") { try folder.append("a", " ") }
                eventually("it is called") { isCalled.withLock { $0 } }
            }
        }

        @Test("a handler makes a watch, which is armed when it has been made")
        func makesAnother() throws {
            let made = Lock<WatchedFile?>(nil)
            let path = folder.path(of: "b")
            let file = try FileWatch(self.path) { _ in
                made.withLock { if $0 == nil { $0 = try? WatchedFile(path) } }
            }
            try folder.append("a", " ")
            eventually("it is made") { made.withLock { $0 != nil } }
            let other = try #require(made.withLock { $0 })
            try other.expectLook("a creation") { try folder.write("b", "") }
            withExtendedLifetime(file) {}
        }

        @Test("handlers run on one thread, on which no signal is delivered")
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
            eventually("it is called") { seen.withLock { $0 != nil } }
            let (name, blocked) = try #require(seen.withLock { $0 })
            #expect(name == "FileWatching" && blocked)
            withExtendedLifetime(watch) {}
        }
    }
}

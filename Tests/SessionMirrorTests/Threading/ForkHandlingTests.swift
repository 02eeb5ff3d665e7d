import FileScripts
import Glibc
import Locking
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Forked child processes")
struct ForkHandlingTests {
    /// Runs `body` in a child process; returns its exit code, or nil if it hangs or crashes.
    ///
    /// Must be called in a process without other tests: at the moment of the fork, a thread of theirs may hold a lock of
    /// the Swift runtime, and then it stays locked in the child. Unlike `forkAtRest`, this forks while threads run.
    private static func inChild(_ body: () -> Int32) -> Int32? {
        let child = fork()
        if child == 0 { _exit(body()) }
        var status: Int32 = 0
        let hasEnded = eventually("the child ends") { waitpid(child, &status, WNOHANG) == child }
        if !hasEnded {
            kill(child, SIGKILL)
            waitpid(child, &status, 0)
        }
        return hasEnded && status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    // The thread sanitizer has locks of its own, which another test's thread may hold at the moment of a fork.
    @Test(
        "A forked child reads the published value and drops jobs, and the parent's jobs are run",
        .enabled(if: !Sanitizer.findsRaces))
    func child() async {
        await #expect(processExitsWith: .success) {
            let counter = InstanceCounter()
            let published = SnapshotCell(Counted(42, counter))
            let done = Lock(0)
            let pool = ThreadPool(name: "test-fork", idleTime: .milliseconds(20))
            pool.run { done.withLock { $0 += 1 } }
            eventually("the first job is run") { done.withLock { $0 } == 1 }
            let code = Self.inChild {
                pool.run { done.withLock { $0 += 1 } }
                pool.run(at: .now) { done.withLock { $0 += 1 } }
                guard ForkHandling.isForkedChild, !ReadSection.isActive else { return 1 }
                return Int32(published.read { $0.number })
            }
            #expect(code == 42)
            #expect(!ForkHandling.isForkedChild)
            pool.run { done.withLock { $0 += 1 } }
            eventually("the parent's jobs are run") { done.withLock { $0 } == 2 }
        }
    }

    @Test("A forked child leaves the timer alone, which it shares with its parent", .enabled(if: !Sanitizer.findsRaces))
    func timer() async {
        await #expect(processExitsWith: .success) {
            let done = Lock(0)
            let pool = ThreadPool(name: "test-fork", idleTime: .seconds(600))
            pool.run { done.withLock { $0 += 1 } }
            eventually("the first job is run") { done.withLock { $0 } == 1 }
            pool.run(at: .now + .milliseconds(50)) { done.withLock { $0 += 1 } }
            let code = Self.inChild {
                pool.change { _ in ThreadPoolState.Wakeups(timer: .distantFuture) }
                return pool.timer.isIntact ? 42 : 1
            }
            #expect(code == 42)
            eventually("the timer of the parent fires") { done.withLock { $0 } == 2 }
        }
    }

    @Test(
        "A forked child reads while the parent's threads publish and read, also inside a read section",
        .enabled(if: !Sanitizer.findsRaces))
    func busyParent() async {
        await #expect(processExitsWith: .success) {
            let counter = InstanceCounter()
            let published = SnapshotCell(Counted(1, counter))
            let isOver = Lock(false)
            let rounds = Lock([0, 0])
            let others = (0..<2).map { part in
                TestThread {
                    while !isOver.withLock({ $0 }) {
                        if part == 0 { published.publish(Counted(1, counter)) }
                        #expect(published.read { $0.isWhole })
                        rounds.withLock { $0[part] += 1 }
                    }
                }
            }
            eventually("the threads use no type for the first time") { rounds.withLock { $0.min()! } > 1_000 }
            for _ in 0..<20 {
                let code = Self.inChild { published.read { $0.isWhole } ? 7 : 1 }
                #expect(code == 7)
                let inside = published.read { outer in
                    Self.inChild { outer.isWhole && published.read { $0.isWhole } ? 8 : 1 }
                }
                #expect(inside == 8)
            }
            isOver.withLock { $0 = true }
            for other in others { other.join() }
            eventually("all objects but one are released") { counter.alive == 1 }
            #expect(published.read { $0.number } == 1)
        }
    }

    @Test(
        "A child forked in a callback ends when it returns to the library, and the parent misses no change",
        .enabled(if: !Sanitizer.findsRaces))
    func inCallback() throws {
        let folder = try TemporaryFolder()
        try folder.write("server.json", #"{ "port": 0 }"#)
        let parent = try Program.built("SessionProbe").start(["forks", "server.json"], in: folder, input: .lines)
        #expect(try parent.line() == "port 0")
        for port in 1...30 {
            try folder.write("server.json", #"{ "port": \#(port) }"#)
            #expect(try parent.line() == "port \(port)")
        }
        parent.closeInput()
        // Reading its output to the end waits for the children, too.
        #expect(try parent.line() == nil)
        #expect(try parent.end().code == 0)
    }
}

import FileScripts
import Glibc
import Locking
import TestSupport
import Testing

@testable import SessionMirror

@Suite("The child of a fork")
struct ForkingTests {
    /// Runs `body` in a child; its exit code, or nil if it hangs or crashes.
    private func inChild(_ body: () -> Int32) -> Int32? {
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

    @Test("reads what was published, and drops jobs, while the parent goes on")
    func child() {
        let census = Census()
        let published = Published(Counted(42, census))
        let done = Lock(0)
        let workers = Workers(name: "test-fork", idleTime: .milliseconds(20))
        workers.run { done.withLock { $0 += 1 } }
        let code = inChild {
            workers.run { done.withLock { $0 += 1 } }
            workers.run(at: .now) { done.withLock { $0 += 1 } }
            guard Forking.madeThisProcess, !Reading.isGoingOn else { return 1 }
            return Int32(published.read { $0.number })
        }
        #expect(code == 42)
        #expect(!Forking.madeThisProcess)
        workers.run { done.withLock { $0 += 1 } }
        eventually("the parent's jobs are done") { done.withLock { $0 } == 2 }
    }

    @Test("reads while the parent's writers and readers are at work, also what it had begun to read")
    func busyParent() {
        let census = Census()
        let published = Published(Counted(1, census))
        let isOver = Lock(false)
        let others = (0..<2).map { part in
            TestThread {
                while !isOver.withLock({ $0 }) {
                    if part == 0 { published.publish(Counted(1, census)) }
                    #expect(published.read { $0.isWhole })
                }
            }
        }
        for _ in 0..<20 {
            let code = inChild { published.read { $0.isWhole } ? 7 : 1 }
            #expect(code == 7)
            let inside = published.read { outer in
                inChild { outer.isWhole && published.read { $0.isWhole } ? 8 : 1 }
            }
            #expect(inside == 8)
        }
        isOver.withLock { $0 = true }
        for other in others { other.join() }
        eventually("all but one are released") { census.alive == 1 }
        #expect(published.read { $0.number } == 1)
    }

    @Test("that was forked by a subscriber and returns to the library ends, and takes nothing from the parent")
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
        // Whoever reads its output to the end has waited for the children too.
        #expect(try parent.line() == nil)
        #expect(try parent.end().code == 0)
    }
}

import Glibc
import Locking
import Synchronization
import TestSupport
import Testing

@testable import SessionMirror

/// Sessions must not block each other when user code does not return.
@Suite("Workers held by user code") struct HeldWorkerTests {
    private let folder: TemporaryFolder
    private let latch = Latch()

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, port: String) throws {
        try folder.write("\(name).json", #"{ "port": \#(port) }"#)
    }

    @Test("Problems of another file are reported while a check holds a worker", arguments: 1...3)
    func problems(round: Int) throws {
        try write("held", port: "1")
        let held = try Session(Server(), at: folder.path(of: "held.json")) { [latch] in
            if $0.port == 2 { latch.pass() }
        }
        defer { latch.open() }
        try write("other", port: "0")
        let other = try Session(Server(), at: folder.path(of: "other.json"))
        let (problems, ports) = (Received<SessionProblem>(), Received<Int>())
        let tokens = [
            other.mirror.observe { if case .problem(let problem) = $0 { problems.add(problem) } },
            other.observe(\.port) { ports.add($0.new) },
        ]
        // A worker handles the first edit; those of the other session are handled in every possible way.
        try write("held", port: "2")
        eventually("the worker is held") { latch.isWaitedFor }
        for number in 1...4 {
            try write("other", port: "oops")
            eventually("problem \(number) is reported", within: .seconds(30)) { problems.count == number }
            try write("other", port: "\(number)")
            eventually("the repair is delivered", within: .seconds(30)) { ports.items.last == number }
        }
        withExtendedLifetime((held, tokens)) {}
    }

    @Test("Changes of another session are delivered and saved while a comparison holds a worker")
    func comparison() throws {
        let held = Session(inMemory: SlowServer())
        defer { latch.open() }
        let ports = Received<Int>()
        let other = try Session(Server(), at: folder.path(of: "other.json"))
        let tokens = [held.observe(\.slow) { _ in }, other.observe(\.port) { ports.add($0.new) }]
        try held.update { $0.slow = SlowNumber(1) { [latch] in latch.pass() } }
        eventually("the worker is held") { latch.isWaitedFor }
        for port in 1...3 {
            try other.update { $0.port = port }
            eventually("change \(port) is delivered") { ports.items.last == port }
            eventually("change \(port) is saved") {
                (try? folder.read("other.json").contains("\(port)")) == true
            }
        }
        try other.closeBlocking()
        withExtendedLifetime(tokens) {}
    }

    @Test("A change that a check makes to another session is delivered before the check returns")
    func changing() throws {
        let ports = Received<Int>()
        let other = Session(inMemory: Server())
        let token = other.observe(\.port) { ports.add($0.new) }
        let held = try Session(Server(), at: folder.path(of: "held.json")) { [latch] in
            if $0.port != 2 { return }
            try other.update { $0.port = 1 }
            latch.pass()
        }
        defer { latch.open() }
        try write("held", port: "2")
        eventually("the worker is held") { latch.isWaitedFor }
        eventually("the change is delivered") { ports.items == [1] }
        withExtendedLifetime((held, token)) {}
    }

    enum Code: CaseIterable { case check, commit, comparison }

    // A job posted elsewhere wakes a worker that runs the delayed jobs, so the cases run one after the other.
    @Test(
        "Repeated commits that user code makes to another session end", .serialized, arguments: Code.allCases)
    func committing(code: Code) async throws {
        // A commit holds the lock of its directory.
        let others = try TemporaryFolder()
        let other = try Session(Server(), at: others.path(of: "other.json"))
        let commits: @Sendable () throws -> Void = {
            for _ in 0..<100 { try other.commitBlocking { $0.port += 1 } }
        }
        let held = try Session(Server(), at: folder.path(of: "held.json")) { [code] in
            if code == .check, $0.port == 2 { try commits() }
        }
        let slow = Session(inMemory: SlowServer())
        let isFirst = Atomic(true)
        let token = slow.observe(\.slow) { _ in }
        switch code {
        case .check: try write("held", port: "2")
        case .commit: try await held.commit { _ in try commits() }
        case .comparison:
            try slow.update {
                $0.slow = SlowNumber(1) {
                    if isFirst.exchange(false, ordering: .relaxed) { try? commits() }
                }
            }
        }
        await eventually("all commits have ended", within: .seconds(60)) { () async in other.port == 8180 }
        withExtendedLifetime((held, token)) {}
    }

    @Test("A commit ends while a comparison of its new value holds a worker") func ownCommit() throws {
        let session = try Session(SlowServer(), at: folder.path(of: "slow.json"))
        let token = session.observe(\.slow) { _ in }
        defer { latch.open() }
        let commit = try session.writer.commit { $0.slow = SlowNumber(1) { [latch] in latch.pass() } }
        // Waits like an awaited commit while a worker saves, but does not depend on when tasks run.
        #expect(try commit.wait(until: .now + .seconds(20)))
        withExtendedLifetime(token) {}
    }

    @Test("A timer set by a borrowed thread fires while a job holds a worker")
    func timers() {
        let pool = ThreadPool(name: "test-held", idleTime: .milliseconds(20))
        let fired = Lock(0)
        pool.run { latch.pass() }
        eventually("a worker is held") { latch.isWaitedFor }
        for number in 1...5 {
            BorrowedThread(of: pool) { pool.run(at: .now + .milliseconds(5)) { fired.withLock { $0 += 1 } } }.run()
            eventually("timer \(number) fires") { fired.withLock { $0 } == number }
        }
        latch.open()
    }

    @Test("A timer fires although the job that set it does not return")
    func ownTimer() {
        let pool = ThreadPool(name: "test-own", idleTime: .milliseconds(20))
        let fired = Lock(0)
        pool.run {
            pool.run(at: .now + .milliseconds(5)) { fired.withLock { $0 += 1 } }
            latch.pass()
        }
        eventually("the timer fires") { fired.withLock { $0 } == 1 }
        latch.open()
    }

    @Test("A timer fires in time although a worker already waits for a later one")
    func earlier() {
        let pool = ThreadPool(name: "test-earlier", idleTime: .milliseconds(20))
        let fired = Lock(0)
        defer { latch.open() }
        pool.run(at: .now + .seconds(3_600)) {}
        eventually("a worker waits for the timer") { ProcessThreads.count(named: pool.name) == 1 }
        pool.run { latch.pass() }
        eventually("a worker is held") { latch.isWaitedFor }
        pool.run { pool.run(at: .now + .milliseconds(5)) { fired.withLock { $0 += 1 } } }
        eventually("the timer fires") { fired.withLock { $0 } == 1 }
    }
}

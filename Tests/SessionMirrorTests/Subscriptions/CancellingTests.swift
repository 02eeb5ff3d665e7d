import Locking
import Synchronization
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Cancelling subscriptions") struct CancellingTests {
    private let session = Session(inMemory: SlowServer())
    private let received = Received<Int>()
    private let jobs = Received<@Sendable () -> Void>()

    /// Subscribes with deliveries that wait until the test runs them.
    private func observe() -> Subscription {
        session.observe(\.slow, on: .custom { [jobs] in jobs.add($0) }) { [received] in received.add($0.new.number) }
    }

    private func update(to number: Int, comparing: @escaping @Sendable () -> Void = {}) throws -> @Sendable () -> Void {
        try session.update { $0.slow = SlowNumber(number, comparing: comparing) }
        eventually("the delivery is requested") { jobs.count == 1 }
        defer { jobs.removeAll() }
        return jobs.items[0]
    }

    enum CancelMethod: CaseIterable { case cancel, release }

    @Test(
        "No callback begins after cancellation or release, even during a comparison of values",
        arguments: CancelMethod.allCases)
    func comparing(method: CancelMethod) throws {
        var token: Subscription? = observe()
        let latch = Latch()
        let isArmed = Atomic(false)
        let job = try update(to: 1) { if isArmed.load(ordering: .acquiring) { latch.pass() } }
        isArmed.store(true, ordering: .releasing)
        let thread = TestThread { job() }
        eventually("the comparison is running") { latch.isWaitedFor }
        if method == .cancel { token?.cancel() }
        token = nil
        latch.open()
        thread.join()
        #expect(received.items == [])
    }

    @Test("A change sequence delivers nothing after cancellation, even during a comparison of values")
    func loop() throws {
        let changes = session.changes(of: \.slow)
        let latch = Latch()
        let isArmed = Atomic(false)
        let other = observe()
        _ = try update(to: 1) { if isArmed.load(ordering: .acquiring) { latch.pass() } }
        isArmed.store(true, ordering: .releasing)
        let items = Received<Int>()
        let thread = TestThread { if let change = changes.subscriber.take() { items.add(change.new.number) } }
        eventually("the comparison is running") { latch.isWaitedFor }
        changes.subscription.cancel()
        latch.open()
        thread.join()
        #expect(items.items == [])
        withExtendedLifetime(other) {}
    }

    @Test("A comparison that ends after either of two concurrent cancellations leads to no callback")
    func race() throws {
        let late = Atomic(0)
        for round in 0..<500 {
            let session = Session(inMemory: SlowServer())
            let isOver = Atomic(false)
            let isArmed = Atomic(false)
            let isLate = Atomic(false)
            let jobs = Received<@Sendable () -> Void>()
            let token = session.observe(\.slow, on: .custom { jobs.add($0) }) { _ in
                if isLate.load(ordering: .acquiring) { late.add(1, ordering: .relaxed) }
            }
            try session.update {
                $0.slow = SlowNumber(1) {
                    guard isArmed.load(ordering: .acquiring) else { return }
                    for _ in 0..<round { _ = isOver.load(ordering: .relaxed) }
                    isLate.store(isOver.load(ordering: .acquiring), ordering: .releasing)
                }
            }
            eventually("the delivery is requested") { jobs.count == 1 }
            isArmed.store(true, ordering: .releasing)
            let job = jobs.items[0]
            onThreads(3) { thread in
                if thread == 0 { return job() }
                token.cancel()
                isOver.store(true, ordering: .releasing)
            }
            jobs.removeAll()
        }
        #expect(late.load(ordering: .relaxed) == 0)
    }

    @Test("Cancelling a subscription inside its own callback does not block, and no further callback follows")
    func inside() throws {
        let own = Lock<Subscription?>(nil)
        let token = session.observe(\.slow, on: .custom { [jobs] in jobs.add($0) }) { [received, session] change in
            received.add(change.new.number)
            try? session.update { $0.slow = SlowNumber(2) }
            own.withLock { $0.take() }?.cancel()
        }
        own.withLock { $0 = token }
        try update(to: 1)()
        #expect(received.items == [1])
    }

    @Test("A subscription that is cancelled after closing delivers no earlier change")
    func closed() throws {
        let token = observe()
        let job = try update(to: 1)
        try session.closeBlocking()
        token.cancel()
        job()
        #expect(received.items == [])
    }

    @Test("Cancelling does not wait for a running callback")
    func running() throws {
        let latch = Latch()
        let token = session.observe(\.slow, on: .custom { [jobs] in jobs.add($0) }) { [received] change in
            latch.pass()
            received.add(change.new.number)
        }
        let job = try update(to: 1)
        let thread = TestThread { job() }
        eventually("the callback is running") { latch.isWaitedFor }
        token.cancel()
        #expect(received.items == [])
        latch.open()
        thread.join()
        #expect(received.items == [1])
    }

    @Test("A cancelled report subscription delivers nothing")
    func reports() throws {
        let folder = try TemporaryFolder()
        let session = try Session(Server(), at: folder.path(of: "server.json"))
        let (jobs, reports) = (Received<@Sendable () -> Void>(), Received<MirrorReport>())
        let token = session.mirror.observe(on: .custom { jobs.add($0) }) { reports.add($0) }
        eventually("the delivery is requested") { jobs.count == 1 }
        token.cancel()
        jobs.items[0]()
        #expect(reports.count == 0)
        jobs.removeAll()
    }
}

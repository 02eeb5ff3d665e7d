import Glibc
import Locking
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Guests of the workers") struct GuestTests {
    private let done = Lock<[Int]>([])
    private var count: Int { done.withLock { $0.count } }

    private func add(_ number: Int) -> Job {
        { [done] in done.withLock { $0.append(number) } }
    }

    @Test("do their job and what it posts, and are themselves again")
    func itself() {
        let workers = Workers(name: "test-guest", idleTime: .milliseconds(20))
        let here = pthread_self()
        let isHere = Lock<[Bool]>([])
        let note: Job = { isHere.withLock { $0.append(pthread_equal(pthread_self(), here) != 0) } }
        Guest(of: workers) {
            note()
            workers.run(note)
        }.work()
        #expect(isHere.withLock { $0.map(\.self) } == [true, true])
        #expect(ProcessThreads.count(named: workers.name) == 0)
        workers.run(note)
        eventually("a worker does the next") { isHere.withLock { $0.map(\.self) } == [true, true, false] }
    }

    @Test("leave their job to a worker where all lanes are taken")
    func noLane() {
        let workers = Workers(name: "test-noLane", lanes: 1, idleTime: .milliseconds(20), patience: .seconds(60))
        let gate = Turnstile()
        workers.run { gate.pass() }
        eventually("the lane is taken") { gate.isWaitedFor }
        Guest(of: workers, for: add(1)).work()
        #expect(count == 0)
        gate.open()
        eventually("it is done") { count == 1 }
    }

    @Test("that are blocked keep nothing waiting that they put off", arguments: [false, true])
    func blocked(isKnownBefore: Bool) {
        let workers = Workers(name: "test-blocked-\(isKnownBefore)", idleTime: .milliseconds(20))
        let gate = Turnstile()
        let guest = Guest(of: workers) { [job = add(1)] in
            workers.run(job)
            Workers.callingOut { gate.pass() }
        }
        if isKnownBefore { guest.stays() }
        let thread = TestThread { guest.work() }
        eventually("it is blocked") { gate.isWaitedFor }
        if !isKnownBefore {
            #expect(count == 0)
            guest.stays()
        }
        eventually("the rest is done") { count == 1 }
        gate.open()
        thread.join()
    }
}

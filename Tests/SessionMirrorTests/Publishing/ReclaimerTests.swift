import CAllocationCount
import Glibc
import Locking
import Synchronization
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Releasing what was replaced", .serialized)
struct ReclaimerTests {
    private let census = Census()

    @Test("a writer in a tight loop of 1,000,000 leaves few objects waiting")
    func tightLoop() throws {
        let published = Published(Counted(0, census))
        func publish(_ count: Int) {
            for number in 1...count { published.publish(Counted(number, census)) }
        }
        publish(50_000)
        let begin = Moment.now
        publish(1_000_000)
        let time = Moment.now - begin
        eventually("all but one are released") { census.alive == 1 }
        // Past the backlog each has waited for a millisecond.
        #expect(census.most <= Reclaimer.backlog + 10 + Int(time / .milliseconds(1)))
    }

    /// In a process of its own: other tests hold memory meanwhile.
    @Test("a writer in a tight loop of 1,000,000 leaves no memory behind")
    func tightLoopMemory() throws {
        let folder = try TemporaryFolder()
        let program = try Program.built("SessionProbe").start(["publish"], in: folder, input: .lines)
        let process = ObservedProcess(identifier: program.identifier)
        #expect(try program.line(within: .seconds(60)) == "begin")
        let before = try process.residentBytes()
        try program.say("go")
        #expect(try program.line(within: .seconds(120)) == "published 1000000")
        let grown = try process.residentBytes() - before
        // The sanitizers keep what was released for a while.
        if allocation_count_is_available() { #expect(grown < 16 << 20) }
        try program.say("end")
        #expect(try program.end().code == 0)
    }

    @Test("several writers in tight loops, and readers beside them")
    func severalWriters() {
        let published = Published(Counted(0, census))
        let isOver = Atomic<Bool>(false)
        let reads = Atomic<Int>(0)
        let torn = Atomic<Int>(0)
        let readers = (0..<2).map { _ in
            TestThread {
                while !isOver.load(ordering: .acquiring) {
                    let isWhole = published.read { outer in
                        outer.isWhole && published.read { $0.isWhole } && published.current.isWhole
                    }
                    if isWhole { reads.add(1, ordering: .relaxed) } else { torn.add(1, ordering: .relaxed) }
                }
            }
        }
        let writers = (0..<3).map { _ in
            TestThread { [census] in
                for number in 0..<20_000 { published.publish(Counted(number, census)) }
            }
        }
        for writer in writers { writer.join() }
        isOver.store(true, ordering: .releasing)
        for reader in readers { reader.join() }
        #expect(torn.load(ordering: .relaxed) == 0)
        #expect(reads.load(ordering: .relaxed) > 0)
        eventually("all but one are released") { census.alive == 1 }
        #expect(published.read { $0.isWhole })
    }

    @Test("a reader who stays slows writers down, and never stops them")
    func longReader() {
        let published = Published(Counted(0, census))
        let turnstile = Turnstile()
        let inside = Atomic<Bool>(false)
        let reader = TestThread {
            published.read { object in
                inside.store(true, ordering: .releasing)
                turnstile.pass()
                #expect(object.isWhole)
            }
        }
        eventually("it is reading") { inside.load(ordering: .acquiring) }
        for number in 1...Reclaimer.backlog + 200 { published.publish(Counted(number, census)) }
        #expect(census.alive == Reclaimer.backlog + 201)
        turnstile.open()
        reader.join()
        eventually("all but one are released") { census.alive == 1 }
    }

    @Test("who publishes inside read does not wait for itself")
    func publishingInsideRead() {
        let published = Published(Counted(0, census))
        published.read { object in
            for number in 1...3 * Reclaimer.backlog { published.publish(Counted(number, census)) }
            #expect(object.isWhole)
        }
        eventually("all but one are released") { census.alive == 1 }
    }

    @Test("a deinit may read and publish, also more than may wait")
    func publishingInDeinit() {
        let published = Published(Counted(0, census))
        let echo = Published(Counted(0, census))
        for number in 1...10 {
            published.publish(
                Counted(number, census) { [census] in
                    for number in 0..<Reclaimer.backlog { echo.publish(Counted(number, census)) }
                    #expect(echo.read { $0.isWhole })
                })
        }
        eventually("all but two are released") { census.alive == 2 }
        #expect(published.read { $0.isWhole } && echo.read { $0.isWhole })
    }

    @Test("a deinit that stays holds up the releasing, and no job and no writer")
    func blockingDeinit() {
        let turnstile = Turnstile()
        let inside = Atomic<Bool>(false)
        let published = Published(
            Counted(0, census) {
                inside.store(true, ordering: .releasing)
                turnstile.pass()
            })
        published.publish(Counted(1, census))
        eventually("the releasing has begun") { inside.load(ordering: .acquiring) }
        for number in 2...Reclaimer.backlog + 100 { published.publish(Counted(number, census)) }
        let isDone = Atomic<Bool>(false)
        Workers.shared.run { isDone.store(true, ordering: .releasing) }
        eventually("jobs are done") { isDone.load(ordering: .acquiring) }
        #expect(census.alive == Reclaimer.backlog + 101)
        turnstile.open()
        eventually("all but one are released") { census.alive == 1 }
        #expect(published.read { $0.isWhole })
    }
}

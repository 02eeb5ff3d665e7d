import CAllocationCount
import Glibc
import Locking
import Synchronization
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Reclaiming replaced objects", .serialized)
struct ReclaimerTests {
    private let counter = InstanceCounter()

    @Test("A writer that publishes 1,000,000 objects in a tight loop leaves few of them unreleased")
    func tightLoop() throws {
        let published = SnapshotCell(Counted(0, counter))
        func publish(_ count: Int) {
            for number in 1...count { published.publish(Counted(number, counter)) }
        }
        publish(50_000)
        let begin = Instant.now
        publish(1_000_000)
        let time = Instant.now - begin
        eventually("all objects but one are released") { counter.alive == 1 }
        // Beyond the backlog, each publication waits for a millisecond.
        #expect(counter.most <= Reclaimer.backlog + 10 + Int(time / .milliseconds(1)))
    }

    /// Measures a separate process, because other tests allocate memory at the same time.
    @Test("Updates in a tight loop grow the process by less than 16 MB")
    func tightLoopMemory() throws {
        let folder = try TemporaryFolder()
        let count = Sanitizer.isActive ? 200_000 : 1_000_000
        let program = try Program.built("SessionProbe").start(["publish", "\(count)"], in: folder, input: .lines)
        let process = ObservedProcess(identifier: program.identifier)
        #expect(try program.line(within: .seconds(60)) == "begin")
        let before = try process.residentBytes()
        try program.say("go")
        #expect(try program.line(within: .seconds(120)) == "published \(count)")
        let grown = try process.residentBytes() - before
        // The sanitizers delay freeing memory.
        if allocation_count_is_available() { #expect(grown < 16 << 20) }
        try program.say("end")
        #expect(try program.end().code == 0)
    }

    @Test("Readers beside several tight-loop writers see whole objects, and all replaced ones are released")
    func severalWriters() {
        let published = SnapshotCell(Counted(0, counter))
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
            TestThread { [counter] in
                for number in 0..<20_000 { published.publish(Counted(number, counter)) }
            }
        }
        for writer in writers { writer.join() }
        isOver.store(true, ordering: .releasing)
        for reader in readers { reader.join() }
        #expect(torn.load(ordering: .relaxed) == 0)
        #expect(reads.load(ordering: .relaxed) > 0)
        eventually("all objects but one are released") { counter.alive == 1 }
        #expect(published.read { $0.isWhole })
    }

    @Test("A long read stops no writer, and keeps all objects that are replaced meanwhile")
    func longReader() {
        let published = SnapshotCell(Counted(0, counter))
        let latch = Latch()
        let inside = Atomic<Bool>(false)
        let reader = TestThread {
            published.read { object in
                inside.store(true, ordering: .releasing)
                latch.pass()
                #expect(object.isWhole)
            }
        }
        eventually("the reader is in its read section") { inside.load(ordering: .acquiring) }
        for number in 1...Reclaimer.backlog + 200 { published.publish(Counted(number, counter)) }
        #expect(counter.alive == Reclaimer.backlog + 201)
        latch.open()
        reader.join()
        eventually("all objects but one are released") { counter.alive == 1 }
    }

    @Test("A writer inside a read section does not wait for itself")
    func publishingInsideRead() {
        let published = SnapshotCell(Counted(0, counter))
        published.read { object in
            for number in 1...3 * Reclaimer.backlog { published.publish(Counted(number, counter)) }
            #expect(object.isWhole)
        }
        eventually("all objects but one are released") { counter.alive == 1 }
    }

    @Test("A deinitializer may read and publish, even more than the backlog holds")
    func publishingInDeinit() {
        let published = SnapshotCell(Counted(0, counter))
        let echo = SnapshotCell(Counted(0, counter))
        for number in 1...10 {
            published.publish(
                Counted(number, counter) { [counter] in
                    for number in 0..<Reclaimer.backlog { echo.publish(Counted(number, counter)) }
                    #expect(echo.read { $0.isWhole })
                })
        }
        eventually("all objects but two are released") { counter.alive == 2 }
        #expect(published.read { $0.isWhole } && echo.read { $0.isWhole })
    }

    @Test("A blocked deinitializer delays the release of others, but neither jobs nor writers")
    func blockingDeinit() {
        let latch = Latch()
        let inside = Atomic<Bool>(false)
        let published = SnapshotCell(
            Counted(0, counter) {
                inside.store(true, ordering: .releasing)
                latch.pass()
            })
        published.publish(Counted(1, counter))
        eventually("the release has begun") { inside.load(ordering: .acquiring) }
        for number in 2...Reclaimer.backlog + 100 { published.publish(Counted(number, counter)) }
        let isDone = Atomic<Bool>(false)
        ThreadPool.shared.run { isDone.store(true, ordering: .releasing) }
        eventually("the job is run") { isDone.load(ordering: .acquiring) }
        #expect(counter.alive == Reclaimer.backlog + 101)
        latch.open()
        eventually("all objects but one are released") { counter.alive == 1 }
        #expect(published.read { $0.isWhole })
    }
}

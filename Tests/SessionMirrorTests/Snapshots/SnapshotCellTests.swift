import CAllocationCount
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Snapshot cells")
struct SnapshotCellTests {
    private let counter = InstanceCounter()

    @Test("A reader gets the object that was published last")
    func latest() {
        let published = SnapshotCell(Counted(1, counter))
        #expect(published.read { $0.number } == 1)
        published.publish(Counted(2, counter))
        #expect(published.read { $0.number } == 2)
        #expect(published.current.number == 2)
    }

    @Test("The last object is released with its cell")
    func lastOne() {
        do {
            let published = SnapshotCell(Counted(1, counter))
            #expect(published.read { $0.isWhole })
        }
        #expect(counter.alive == 0)
    }

    @Test("A replaced object is released on another thread")
    func released() {
        let thread = Atomic<UInt>(0)
        let published = SnapshotCell(
            Counted(1, counter, onRelease: { thread.store(UInt(pthread_self()), ordering: .releasing) }))
        published.publish(Counted(2, counter))
        eventually("the first object is released") { counter.alive == 1 }
        #expect(thread.load(ordering: .acquiring) != UInt(pthread_self()))
        #expect(published.read { $0.isWhole })
    }

    @Test("A retained object survives later publications")
    func kept() {
        let published = SnapshotCell(Counted(1, counter))
        var kept: Counted? = published.current
        for number in 2...10 { published.publish(Counted(number, counter)) }
        eventually("all other objects are released") { counter.alive == 2 }
        #expect(kept?.isWhole == true)
        kept = nil
        #expect(counter.alive == 1)
    }

    @Test("An object that is being read is released after its last reader ends")
    func lastReader() {
        let published = SnapshotCell(Counted(1, counter))
        let inside = Atomic<Int>(0)
        let latch = Latch()
        let readers = (0..<2).map { _ in
            TestThread { [counter] in
                published.read { object in
                    inside.add(1, ordering: .acquiringAndReleasing)
                    latch.pass()
                    #expect(object.isWhole && object.number == 1)
                    #expect(counter.alive >= 2)
                }
            }
        }
        eventually("both readers are in their read sections") { inside.load(ordering: .acquiring) == 2 }
        published.publish(Counted(2, counter))
        // Enough publications for a batch to begin, which must not end.
        let other = SnapshotCell(Counted(3, counter))
        for number in 4...1000 { other.publish(Counted(number, counter)) }
        #expect(published.read { $0.number } == 2)
        #expect(counter.alive == 1000)
        latch.open()
        for reader in readers { reader.join() }
        eventually("all replaced objects are released") { counter.alive == 2 }
        #expect(other.read { $0.isWhole })
    }

    @Test("A nested read sees the newest object, and the read section ends with the outer read")
    func nested() {
        let published = SnapshotCell(Counted(1, counter))
        #expect(!ReadSection.isActive)
        published.read { outer in
            published.publish(Counted(2, counter))
            published.read { inner in
                #expect((outer.number, inner.number) == (1, 2))
                #expect(ReadSection.isActive)
            }
            #expect(ReadSection.isActive)
            #expect(outer.isWhole)
        }
        #expect(!ReadSection.isActive)
        eventually("the first object is released") { counter.alive == 1 }
    }

    @Test("An error thrown in a read ends the read section and keeps its type")
    func throwing() {
        struct ReadFailure: Error, Equatable { let number: Int }
        let published = SnapshotCell(Counted(1, counter))
        func read() throws(ReadFailure) {
            try published.read { object throws(ReadFailure) in throw ReadFailure(number: object.number) }
        }
        #expect(throws: ReadFailure(number: 1)) { try read() }
        #expect(!ReadSection.isActive)
        published.publish(Counted(2, counter))
        eventually("the first object is released") { counter.alive == 1 }
    }

    @Test("An object that is being read outlives its cell")
    func cellReleased() {
        var published: SnapshotCell<Counted>? = SnapshotCell(Counted(1, counter))
        published?.read { object in
            published = nil
            #expect(object.isWhole)
            #expect(counter.alive == 1)
        }
        #expect(counter.alive == 0)
    }

    @Test("Reading allocates no memory", .enabled(if: allocation_count_is_available()))
    func allocations() {
        let published = SnapshotCell(Counted(1, counter))
        func sum() -> Int {
            var sum = 0
            for _ in 0..<1000 { sum &+= published.read { $0.number } &+ published.current.number }
            return sum
        }
        #expect(sum() == 2000)
        allocation_count_set_enabled(true)
        defer { allocation_count_set_enabled(false) }
        let before = allocation_count_of_thread().allocations
        _ = sum()
        #expect(allocation_count_of_thread().allocations - before == 0)
    }
}

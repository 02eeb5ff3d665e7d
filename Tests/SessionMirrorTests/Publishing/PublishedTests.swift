import CAllocationCount
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import SessionMirror

@Suite("What is published")
struct PublishedTests {
    private let census = Census()

    @Test("a reader gets what was published last")
    func latest() {
        let published = Published(Counted(1, census))
        #expect(published.read { $0.number } == 1)
        published.publish(Counted(2, census))
        #expect(published.read { $0.number } == 2)
        #expect(published.current.number == 2)
    }

    @Test("the last object is released with the place where it was published")
    func lastOne() {
        do {
            let published = Published(Counted(1, census))
            #expect(published.read { $0.isWhole })
        }
        #expect(census.alive == 0)
    }

    @Test("what was replaced is released, on another thread")
    func released() {
        let thread = Atomic<UInt>(0)
        let published = Published(
            Counted(1, census, onRelease: { thread.store(UInt(pthread_self()), ordering: .releasing) }))
        published.publish(Counted(2, census))
        eventually("the first is released") { census.alive == 1 }
        #expect(thread.load(ordering: .acquiring) != UInt(pthread_self()))
        #expect(published.read { $0.isWhole })
    }

    @Test("what was taken out to be kept stays, whatever is published")
    func kept() {
        let published = Published(Counted(1, census))
        var kept: Counted? = published.current
        for number in 2...10 { published.publish(Counted(number, census)) }
        eventually("all others are released") { census.alive == 2 }
        #expect(kept?.isWhole == true)
        kept = nil
        #expect(census.alive == 1)
    }

    @Test("what is being read stays until the last reader ends, and is then released")
    func lastReader() {
        let published = Published(Counted(1, census))
        let inside = Atomic<Int>(0)
        let turnstile = Turnstile()
        let readers = (0..<2).map { _ in
            TestThread { [census] in
                published.read { object in
                    inside.add(1, ordering: .acquiringAndReleasing)
                    turnstile.pass()
                    #expect(object.isWhole && object.number == 1)
                    #expect(census.alive >= 2)
                }
            }
        }
        eventually("both are reading") { inside.load(ordering: .acquiring) == 2 }
        published.publish(Counted(2, census))
        // Long enough for a batch to have begun, which must not end.
        let other = Published(Counted(3, census))
        for number in 4...1000 { other.publish(Counted(number, census)) }
        #expect(published.read { $0.number } == 2)
        #expect(census.alive == 1000)
        turnstile.open()
        for reader in readers { reader.join() }
        eventually("all that was replaced is released") { census.alive == 2 }
        #expect(other.read { $0.isWhole })
    }

    @Test("reading inside reading sees what was published meanwhile, and ends only with the outer one")
    func nested() {
        let published = Published(Counted(1, census))
        #expect(!Reading.isGoingOn)
        published.read { outer in
            published.publish(Counted(2, census))
            published.read { inner in
                #expect((outer.number, inner.number) == (1, 2))
                #expect(Reading.isGoingOn)
            }
            #expect(Reading.isGoingOn)
            #expect(outer.isWhole)
        }
        #expect(!Reading.isGoingOn)
        eventually("the first is released") { census.alive == 1 }
    }

    @Test("an error ends the reading and comes out as what it is")
    func throwing() {
        struct Refused: Error, Equatable { let number: Int }
        let published = Published(Counted(1, census))
        func read() throws(Refused) {
            try published.read { object throws(Refused) in throw Refused(number: object.number) }
        }
        #expect(throws: Refused(number: 1)) { try read() }
        #expect(!Reading.isGoingOn)
        published.publish(Counted(2, census))
        eventually("the first is released") { census.alive == 1 }
    }

    @Test("a place that is gone while its object is read leaves the object to the reader")
    func placeGone() {
        var published: Published<Counted>? = Published(Counted(1, census))
        published?.read { object in
            published = nil
            #expect(object.isWhole)
            #expect(census.alive == 1)
        }
        #expect(census.alive == 0)
    }

    @Test("reading allocates nothing", .enabled(if: allocation_count_is_available()))
    func allocations() {
        let published = Published(Counted(1, census))
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

import Locking
import Testing

@testable import FileWatching

@Suite struct RetryScheduleTests {
    private let first = PathID(number: 1)
    private let second = PathID(number: 2)

    private func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    @Test("Without paths there is no deadline for retries")
    func empty() {
        var retries = RetrySchedule(interval: 10)
        #expect(retries.deadline == nil)
        #expect(retries.takeDue(at(1000)) == [])
    }

    @Test("All paths are retried together, one interval after the first was inserted and then once per interval")
    func due() {
        var retries = RetrySchedule(interval: 10)
        retries.insert(second, at(100))
        retries.insert(first, at(105))
        #expect(retries.takeDue(at(109)) == [])
        #expect(retries.takeDue(at(110)) == [first, second])
        #expect(retries.takeDue(at(119)) == [])
        #expect(retries.takeDue(at(125)) == [first, second])
        #expect(retries.deadline == at(135))
    }

    @Test("The deadline for retries ends with the last path")
    func removed() {
        var retries = RetrySchedule(interval: 10)
        retries.insert(first, at(0))
        retries.insert(second, at(0))
        retries.remove(first)
        #expect(retries.deadline == at(10))
        retries.remove(second)
        #expect(retries.deadline == nil)
        #expect(retries.takeDue(at(10)) == [])
    }

    @Test("Deferred removals become due in the order of their insertion")
    func deferredRemovals() {
        var removals = DeferredRemovals()
        for (number, due) in [(1, Int64(10)), (2, 20), (3, 30)] {
            removals.insert(WatchTable.NodeID(number: number), until: at(due))
        }
        #expect(removals.deadline == at(10))
        #expect(removals.takeDue(at(9)) == [])
        #expect(removals.takeDue(at(20)).map(\.number) == [1, 2])
        #expect(removals.deadline == at(30))
    }
}

import Locking
import Testing

@testable import FileWatching

@Suite struct RetriesTests {
    private let first = PathID(number: 1)
    private let second = PathID(number: 2)

    private func at(_ nanoseconds: Int64) -> Moment { Moment(nanoseconds: nanoseconds) }

    @Test("nothing to retry, nothing to wait for")
    func empty() {
        var retries = Retries(interval: 10)
        #expect(retries.deadline == nil)
        #expect(retries.takeDue(at(1000)) == [])
    }

    @Test("all paths are due together, an interval after the first came and then again and again")
    func due() {
        var retries = Retries(interval: 10)
        retries.insert(second, at(100))
        retries.insert(first, at(105))
        #expect(retries.takeDue(at(109)) == [])
        #expect(retries.takeDue(at(110)) == [first, second])
        #expect(retries.takeDue(at(119)) == [])
        #expect(retries.takeDue(at(125)) == [first, second])
        #expect(retries.deadline == at(135))
    }

    @Test("without paths there is no deadline any more")
    func removed() {
        var retries = Retries(interval: 10)
        retries.insert(first, at(0))
        retries.insert(second, at(0))
        retries.remove(first)
        #expect(retries.deadline == at(10))
        retries.remove(second)
        #expect(retries.deadline == nil)
        #expect(retries.takeDue(at(10)) == [])
    }

    @Test("watches that were put off come due in their order")
    func retired() {
        var retired = RetiredWatches()
        for (number, moment) in [(1, Int64(10)), (2, 20), (3, 30)] {
            retired.insert(WatchTable.NodeID(number: number), until: at(moment))
        }
        #expect(retired.deadline == at(10))
        #expect(retired.takeDue(at(9)) == [])
        #expect(retired.takeDue(at(20)).map(\.number) == [1, 2])
        #expect(retired.deadline == at(30))
    }
}

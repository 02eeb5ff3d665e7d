import Testing

@testable import FileWatching

@Suite struct StaleRecordsTests {
    private var records = StaleRecords()

    private func watch(_ number: Int) -> Watch { Watch(number: Int32(number)) }

    @Test("a watch that the kernel ends leaves a stale record, one that is removed does not")
    mutating func stale() {
        for number in 1...3 { records.added(watch(number)) }
        records.removed(watch(1))
        records.ended(watch(1))  // what the kernel says after a removal
        records.ended(watch(2))
        #expect(records.stale == 1)
        #expect([1, 2, 3].map { records.isGood(watch($0)) } == [false, false, true])
    }

    @Test("it is crowded one past the limit")
    mutating func limit() {
        records.limit = 10
        for number in 1...10 { end(number) }
        #expect(!records.isCrowded)
        end(11)
        #expect(records.isCrowded)
        records.cleaned()
        #expect(!records.isCrowded && records.stale == 0)
    }

    @Test("with many good records, as many stale ones are bearable")
    mutating func proportion() {
        records.limit = 10
        for number in 1...50 { records.added(watch(number)) }
        for number in 101...150 { end(number) }
        #expect(!records.isCrowded)
        end(151)
        #expect(records.isCrowded)
    }

    private mutating func end(_ number: Int) {
        records.added(watch(number))
        records.ended(watch(number))
    }
}

import Testing

@testable import FileWatching

@Suite struct LibraryRecordsTests {
    private var records = LibraryRecords()

    private func watch(_ number: Int) -> WatchDescriptor { WatchDescriptor(number: Int32(number)) }

    @Test("A watch that the kernel ends leaves a stale record, one that is removed does not")
    mutating func stale() {
        for number in 1...3 { records.insert(watch(number)) }
        records.remove(watch(1))
        records.markStale(watch(1))  // the event that follows a removal
        records.markStale(watch(2))
        #expect(records.stale == 1)
        #expect([1, 2, 3].map { records.isValid(watch($0)) } == [false, false, true])
    }

    @Test("More stale records than the limit are too many")
    mutating func limit() {
        records.limit = 10
        for number in 1...10 { addStale(number) }
        #expect(!records.hasTooManyStale)
        addStale(11)
        #expect(records.hasTooManyStale)
        records.removeAll()
        #expect(!records.hasTooManyStale && records.stale == 0)
    }

    @Test("With many valid records, as many stale ones are tolerated")
    mutating func proportion() {
        records.limit = 10
        for number in 1...50 { records.insert(watch(number)) }
        for number in 101...150 { addStale(number) }
        #expect(!records.hasTooManyStale)
        addStale(151)
        #expect(records.hasTooManyStale)
    }

    private mutating func addStale(_ number: Int) {
        records.insert(watch(number))
        records.markStale(watch(number))
    }
}

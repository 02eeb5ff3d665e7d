import StoredValues
import Synchronization
import TestSupport
import Testing

/// What it costs, and observing.
extension StoredTests {
    @Test("Ten thousand wrappers of a key cost one decoding for each change, none for their own and for other keys")
    func decodings() throws {
        let wrappers = (0..<10_000).map { _ in Stored("counted", default: Counted(), in: session) }
        let other = Stored("other", default: 0, in: session)
        let before = Counted.decodings.withLock { $0 }
        for number in 1...3 {
            try session.set("/counted/number", to: JSON(number))
            #expect(wrappers.allSatisfy { $0.value.number == number })
            other.value = number
            #expect(wrappers.allSatisfy { $0.value.number == number })
            wrappers[number].value = Counted(number: -number)
            #expect(wrappers.allSatisfy { $0.value.number == -number })
        }
        #expect(Counted.decodings.withLock { $0 } == before + 3)
    }

    private struct Counted: Codable, Sendable {
        static let decodings = Mutex(0)
        var number = 0

        init(number: Int = 0) { self.number = number }

        init(from decoder: any Decoder) throws {
            Self.decodings.withLock { $0 += 1 }
            number = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)
        }
    }

    @Test("Ten thousand keys are set, read and saved") func manyKeys() throws {
        let values = (0..<10_000).map { Stored("key \($0)", default: -1, in: session) }
        for (number, value) in values.enumerated() { value.value = number }
        #expect(values.enumerated().allSatisfy { $1.value == $0 })
        try session.closeBlocking()
        let saved = try JSON(parsing: folder.read("values.json"))
        #expect(saved.object?.count == values.count)
        #expect(values.indices.allSatisfy { saved["key \($0)"] == JSON($0) })
    }

    @Test("Setting changes one member of the tree and shares the others") func sharing() throws {
        try folder.write("values.json", #"{ "count": 1, "big": [[1, 2, 3], [4, 5, 6]] }"#)
        session.mirror.reload()
        let count = Stored("count", default: 0, in: session)
        eventually("the file is loaded") { count.value == 1 }
        let big = try #require(session["big"])
        count.value = 2
        #expect(session["big"]!.isIdentical(to: big))
    }

    @Test("Subscribers and sequences get each change, and no default while the file's value cannot be used")
    func observing() async throws {
        let count = Stored("count", default: 1, in: session)
        let changes = Received<Change<Int>>()
        let token = count.observe(initial: true) { changes.add($0) }
        await eventually("the first change arrives") { changes.items.map(\.new) == [1] }
        count.value = 2
        await eventually("the assignment arrives") { changes.items.map(\.new) == [1, 2] }
        try await session.flush()
        for text in [#"{ "count": "x" }"#, #"{ "count": 3 }"#, "{}"] {
            try folder.write("values.json", text)
            await eventually("the edit is loaded") { session.snapshot.json == (try? JSON(parsing: text)) }
        }
        await eventually("the edits arrive") { changes.items.last?.new == 1 }
        #expect([[1, 2, 3, 1], [1, 2, 1]].contains(changes.items.map(\.new)))
        #expect(changes.items.map(\.origin).suffix(1) == [.external])
        var values = count.values.makeAsyncIterator()
        #expect(await values.next() == 1)
        var newValues = count.changes.makeAsyncIterator()
        count.value = 8
        #expect(await values.next() == 8)
        #expect(await newValues.next()?.new == 8)
        withExtendedLifetime(token) {}
    }
}

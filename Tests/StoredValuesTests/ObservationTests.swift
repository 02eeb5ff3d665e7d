import Observation
import StoredValues
import Synchronization
import TestSupport
import Testing

@Suite("Sessions in Swift's Observation framework") struct ObservationTests {
    private struct Settings: Codable, Sendable {
        var a = 1
        var b = 2
        var inner = Inner()
        var list = [1, 2]

        struct Inner: Codable, Equatable, Sendable {
            var c = 3
        }
    }

    private let session = Session(inMemory: Settings())

    @Test("A change is announced once to observers of that property, and to no others") @MainActor func tracking()
        async throws
    {
        let count = Received<Int>()
        withObservationTracking {
            #expect(session.observable.a == 1)
        } onChange: {
            count.add(1)
        }
        try session.update { $0.b = 5 }
        try await settle()
        #expect(count.items == [])
        try session.update { $0.a = 5 }
        while count.items.isEmpty { await Task.yield() }
        try session.update { $0.a = 6 }
        try await settle()
        #expect(count.items == [1])
    }

    /// Waits until a change of another property was announced on the main actor, and so everything before it.
    @MainActor private func settle() async throws {
        let count = Received<Int>()
        withObservationTracking {
            _ = session.observable.inner.c
        } onChange: {
            count.add(1)
        }
        try session.update { $0.inner.c += 1 }
        while count.items.isEmpty { await Task.yield() }
    }

    @Test("A key path of several members, and one with a captured index, are tracked") @MainActor func keyPaths()
        async throws
    {
        for index in 0..<2 {
            let count = Received<Int>()
            withObservationTracking {
                _ = session.observable[\.inner.c] + (session.observable[\.list[at: index]] ?? 0)
            } onChange: {
                count.add(1)
            }
            try session.update { $0.list[index] += 1 }
            while count.items.isEmpty { await Task.yield() }
        }
    }

    @Test("A property that another thread reads for the first time at the same moment is tracked") @MainActor
    func concurrentFirstReads() async throws {
        for round in 0..<500 {
            let session = Session(inMemory: Settings())
            let other = Task.detached { session.observable.a }
            let (count, seen) = (Received<Int>(), Received<Int>())
            withObservationTracking {
                seen.add(session.observable.a)
            } onChange: {
                count.add(1)
            }
            try session.update { $0.a = 7 }
            #expect(seen.items == [1])
            guard await soon("the change of round \(round) is announced", { !count.items.isEmpty }) else { return }
            _ = await other.value
        }
    }

    @Test("Observations on the main actor always receive the last value") func mainActor() async throws {
        try await expectLastValue(rounds: 10_000) { session, last in
            Task { @MainActor in
                for await value in Observations({ session.observable.a }) { last.store(value) }
            }
        }
    }

    @Test("Observations elsewhere receive the last value by one of the announcements")
    func background() async throws {
        try await expectLastValue(rounds: 2_000) { session, last in
            let observable = session.observable(on: .background)
            return Task.detached { for await value in Observations({ observable.a }) { last.store(value) } }
        }
    }

    /// The value that a loop received last.
    private final class LastValue: Sendable {
        private let number = Atomic(0)

        var value: Int { number.load(ordering: .relaxed) }

        func store(_ value: Int) { number.store(value, ordering: .relaxed) }
    }

    /// Each round makes one or two changes at a random distance, and waits for the last one.
    private func expectLastValue(rounds: Int, _ begin: (Session<Settings>, LastValue) -> Task<Void, Never>) async throws
    {
        let received = LastValue()
        let loop = begin(session, received)
        defer { loop.cancel() }
        var generator = SeededGenerator(2026)
        for round in 1...rounds {
            try session.update { $0.a = 2 * round }
            if round % 3 == 0 {
                for _ in 0..<Int.random(in: 0..<200, using: &generator) { await Task.yield() }
                try session.update { $0.a += 1 }
            }
            let last = session.a
            guard await soon("round \(round) ends with \(last)", { received.value == last }) else { return }
        }
    }

    /// Waits until the condition is true, at first without a pause, so that many rounds take little time.
    private func soon(
        _ what: String, isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool
    ) async -> Bool {
        for _ in 0..<1_000 {
            if condition() { return true }
            await Task.yield()
        }
        return await eventually(what) { condition() }
    }
}

import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("The current value first") struct InitialValueTests {
    let session = Session(inMemory: Server())

    @Test("A sequence of values begins with the current value and continues with each new one") func values()
        async throws
    {
        var ports = session.values(of: \.port).makeAsyncIterator()
        #expect(await ports.next() == 8080)
        try session.update { $0.port = 1 }
        #expect(await ports.next() == 1)
        // A change of another value is none of this one.
        try session.update { $0.greeting = "good day" }
        try session.update { $0.port = 2 }
        #expect(await ports.next() == 2)
        try await session.close()
        #expect(await ports.next() == nil)
    }

    @Test("A sequence of values of a closed session has the last value only") func closed() async throws {
        try session.update { $0.port = 1 }
        try await session.close()
        var received: [Int] = []
        for await port in session.values(of: \.port) { received.append(port) }
        #expect(received == [1])
    }

    @Test("A sequence of values by pointer begins with the current value, as the type that was asked for")
    func pointer() async throws {
        let session = Session<JSON>(inMemory: ["rating": 5])
        var ratings = session.values(of: "/rating", as: Int.self).makeAsyncIterator()
        #expect(await ratings.next() == .some(5))
        try session.update { $0 = ["rating": "none"] }
        #expect(await ratings.next() == .some(nil))
        try session.update { $0 = ["rating": 7] }
        #expect(await ratings.next() == .some(7))
    }

    @Test("An observer with an initial value is called with the current value, then with each change")
    func observe() throws {
        let received = Received<Change<Int>>()
        let token = session.observe(\.port, initial: true) { received.add($0) }
        eventually("the current value is delivered") { received.count == 1 }
        try session.update { $0.port = 1 }
        eventually("the change is delivered") { received.count == 2 }
        #expect(received.items.map(\.old) == [8080, 8080])
        #expect(received.items.map(\.new) == [8080, 1])
        withExtendedLifetime(token) {}
    }

    @Test("An observer whose initial delivery is late begins with the newest value") func late() throws {
        let (jobs, received) = (Received<@Sendable () -> Void>(), Received<Change<Int>>())
        let token = session.observe(\.port, initial: true, on: .custom { jobs.add($0) }) { received.add($0) }
        eventually("the job is submitted") { jobs.count == 1 }
        try session.update { $0.port = 1 }
        let other = Received<Int>()
        let marker = session.observe(\.greeting) { _ in other.add(1) }
        try session.update { $0.greeting = "seen" }
        eventually("the version is delivered") { other.count == 1 }
        jobs.items[0]()
        #expect(received.items.map(\.new) == [1] && received.items.map(\.old) == [1])
        jobs.removeAll()
        withExtendedLifetime((token, marker)) {}
    }

    @Test("Without an initial value, an observer is called for changes only") func changesOnly() throws {
        let received = Received<Int>()
        let token = session.observe(\.port) { received.add($0.new) }
        try session.update { $0.port = 1 }
        eventually("the change is delivered") { received.count == 1 }
        #expect(received.items == [1])
        withExtendedLifetime(token) {}
    }
}

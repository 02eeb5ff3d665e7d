import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Change sequences") struct ChangesTests {
    @Test("A change sequence includes changes that were made before its iteration begins")
    func beforeItBegins() async throws {
        let session = Session(inMemory: Server())
        let changes = session.changes(of: \.port)
        try session.update { $0.port = 1 }
        for await change in changes {
            #expect(change.new == 1)
            break
        }
    }

    @Test("Each old value of a change sequence is the previous new value, and the last value arrives")
    func chain() async throws {
        let session = Session(inMemory: Server())
        let changes = session.changes(of: \.port)
        let loop = Task {
            var given: [Change<Int>] = []
            for await change in changes {
                given.append(change)
                if change.new == 500 { break }
            }
            return given
        }
        for port in 1...500 { try session.update { $0.port = port } }
        let given = await loop.value
        #expect(given.first?.old == 8080)
        #expect(given.last?.new == 500)
        for (before, after) in zip(given, given.dropFirst()) {
            #expect(after.old == before.new)
            #expect(after.version > before.version)
        }
    }

    @Test("A change sequence ends after the last change when its session is closed") func closed() async throws {
        let session = Session(inMemory: Server())
        let changes = session.changes(of: \.port)
        try session.update { $0.port = 1 }
        let loop = Task {
            var ports: [Int] = []
            for await change in changes { ports.append(change.new) }
            return ports
        }
        try session.closeBlocking()
        #expect(await loop.value == [1])
        #expect { try session.update { $0.port = 2 } } throws: { ($0 as? SessionError)?.code == .closed }
        #expect(session.port == 1)
    }

    @Test("A change sequence ends when its session is released or its task is cancelled") func ended() async throws {
        var session: Session<Server>? = Session(inMemory: Server())
        let changes = try #require(session).changes(of: \.port)
        session = nil
        for await _ in changes { Issue.record("a change was delivered") }

        let other = Session(inMemory: Server())
        let loop = Task { for await _ in other.changes(of: \.port) {} }
        loop.cancel()
        await loop.value
    }

    @Test("An asynchronous signal ends for a cancelled task even if a value is always available")
    func endedWhileBusy() async {
        let loop = Task {
            var calls = AsyncSignal().makeIterator()
            var count = 0
            while count < 10, await calls.next(isolation: nil, from: { 1 }) != nil {
                count += 1
                if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
            }
            return count
        }
        #expect(await loop.value == 3)
    }
}

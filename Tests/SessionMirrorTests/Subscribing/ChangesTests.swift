import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Loops over changes") struct ChangesTests {
    @Test("a loop gets what changes from the moment it was asked for, even before it begins")
    func beforeItBegins() async throws {
        let session = Session(inMemory: Server())
        let changes = session.changes(of: \.port)
        try session.update { $0.port = 1 }
        for await change in changes {
            #expect(change.new == 1)
            break
        }
    }

    @Test("every old value is the new one before, and the last value comes")
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

    @Test("a loop ends when its session is closed, after the last change") func closed() async throws {
        let session = Session(inMemory: Server())
        let changes = session.changes(of: \.port)
        try session.update { $0.port = 1 }
        let loop = Task {
            var ports: [Int] = []
            for await change in changes { ports.append(change.new) }
            return ports
        }
        try session.close()
        #expect(await loop.value == [1])
        #expect { try session.update { $0.port = 2 } } throws: { ($0 as? SessionError)?.code == .closed }
        #expect(session.port == 1)
    }

    @Test("a loop ends when its session is gone, and when its task is cancelled") func ended() async throws {
        var session: Session<Server>? = Session(inMemory: Server())
        let changes = try #require(session).changes(of: \.port)
        session = nil
        for await _ in changes { Issue.record("there is nothing to come") }

        let other = Session(inMemory: Server())
        let loop = Task { for await _ in other.changes(of: \.port) {} }
        loop.cancel()
        await loop.value
    }
}

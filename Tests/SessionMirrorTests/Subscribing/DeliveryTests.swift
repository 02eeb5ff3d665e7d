import Locking
import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Delivery of changes") struct DeliveryTests {
    let session = Session(inMemory: Server())

    @Test("a change comes with what was given before, the version and who made it")
    func change() throws {
        let received = Received<Change<Int>>()
        let token = session.observe(\.port) { received.add($0) }
        try session.update { $0.port = 9090 }
        eventually("the change comes") { received.count == 1 }
        let change = try #require(received.items.first)
        #expect((change.old, change.new) == (8080, 9090))
        #expect(change.version == session.snapshot.version)
        #expect(change.origin == .update)
        token.cancel()
    }

    @Test("a change of another value is none")
    func otherValue() throws {
        let (ports, greetings) = (Received<Change<Int>>(), Received<Change<String>>())
        let tokens = [
            session.observe(\.port) { ports.add($0) }, session.observe(\.greeting) { greetings.add($0) },
        ]
        try session.update { $0.greeting = "good day" }
        eventually("the greeting comes") { greetings.count == 1 }
        try session.update { $0.port = 1 }
        eventually("the port comes") { ports.count == 1 }
        #expect(greetings.count == 1)
        withExtendedLifetime(tokens) {}
    }

    @Test("one that is slow is given the newest next, from what it was given last, with versions that grow")
    func slow() throws {
        let (received, gate) = (Received<Change<Int>>(), Gate())
        let token = session.observe(\.port) { change in
            received.add(change)
            gate.wait()
        }
        try session.update { $0.port = 1 }
        eventually("the first comes") { received.count == 1 }
        for port in 2...1_000 { try session.update { $0.port = port } }
        gate.open()
        eventually("the last comes") { received.items.last?.new == 1_000 }
        let items = received.items
        #expect(items.count < 1_000)
        for (before, after) in zip(items, items.dropFirst()) {
            #expect(after.old == before.new)
            #expect(after.version > before.version)
        }
        withExtendedLifetime(token) {}
    }

    @Test("one that blocks for ever keeps nothing from the others")
    func blocked() throws {
        let (received, gate) = (Received<Int>(), Gate())
        defer { gate.open() }
        let blocked = (1...20).map { _ in session.observe(\.port) { _ in gate.wait() } }
        let token = session.observe(\.port) { received.add($0.new) }
        try session.update { $0.port = 1 }
        eventually("the change comes past those that block") { received.items.last == 1 }
        try session.update { $0.port = 2 }
        eventually("and so does the next") { received.items.last == 2 }
        withExtendedLifetime((token, blocked)) {}
    }

    @Test("one that blocks for ever keeps nothing from the others of a file, however large", arguments: [0, 4_000_000])
    func blockedWithFile(spaces: Int) throws {
        let folder = try TemporaryFolder()
        func write(port: Int) throws {
            try folder.write("server.json", #"{ "port": \#(port)\#(String(repeating: " ", count: spaces)) }"#)
        }
        try write(port: 0)
        let session = try Session(Server(), at: folder.path(of: "server.json"))
        let (received, gate) = (Received<Int>(), Gate())
        defer { gate.open() }
        let token = session.observe(\.port) { received.add($0.new) }
        // The first edits find the threads that bring them, each in its own way.
        for port in 1...5 {
            try write(port: port)
            eventually("edit \(port) comes") { received.items.last == port }
        }
        let blocked = (1...3).map { _ in session.observe(\.port) { _ in gate.wait() } }
        for port in 6...8 {
            try write(port: port)
            eventually("edit \(port) comes past those that block") { received.items.last == port }
        }
        withExtendedLifetime((token, blocked)) {}
    }

    @Test("a value that went away and came back while one was busy is no change")
    func backAgain() throws {
        let (ports, gate) = (Received<Int>(), Gate())
        let token = session.observe(\.port) { change in
            ports.add(change.new)
            gate.wait()
        }
        try session.update { $0.port = 1 }
        eventually("the first comes") { ports.count == 1 }
        try session.update { $0.port = 2 }
        let snapshot = session.snapshot.version
        try session.update { $0.port = 1 }
        #expect(session.snapshot.version > snapshot)
        let marker = Received<String>()
        let other = session.observe(\.greeting) { marker.add($0.new) }
        try session.update { $0.greeting = "seen" }
        eventually("the later version was brought") { marker.count == 1 }
        gate.open()
        try session.update { $0.port = 3 }
        eventually("the last comes") { ports.items.last == 3 }
        #expect(ports.items == [1, 3])
        withExtendedLifetime((token, other)) {}
    }

    @Test("no callback begins after its subscription was cancelled, or is gone")
    func cancelled() throws {
        let (mine, others) = (Received<Int>(), Received<Int>())
        var token: Subscription? = session.observe(\.port) { mine.add($0.new) }
        let other = session.observe(\.port) { others.add($0.new) }
        try session.update { $0.port = 1 }
        eventually("both hear") { mine.count == 1 && others.count == 1 }
        token = nil
        try session.update { $0.port = 2 }
        eventually("the other hears") { others.count == 2 }
        #expect(mine.count == 1)
        withExtendedLifetime((other, token)) {}
    }

    @Test("an update and another subscription inside a callback are fine")
    func inside() throws {
        let (tokens, received) = (Received<Subscription>(), Received<String>())
        let session = session
        let token = session.observe(\.port) { change in
            tokens.add(session.observe(\.greeting) { received.add($0.new) })
            try? session.update { $0.greeting = "port \(change.new)" }
        }
        try session.update { $0.port = 1 }
        eventually("the update inside is brought") { received.items == ["port 1"] }
        withExtendedLifetime(token) {}
    }

    @Test("callbacks run where the caller wants them")
    func delivery() throws {
        let (jobs, received) = (Received<@Sendable () -> Void>(), Received<Int>())
        let token = session.observe(\.port, on: .custom { jobs.add($0) }) { received.add($0.new) }
        try session.update { $0.port = 1 }
        eventually("the job comes") { jobs.count == 1 }
        #expect(received.count == 0)
        jobs.items[0]()
        #expect(received.items == [1])
        try session.update { $0.port = 2 }
        eventually("another job comes") { jobs.count == 2 }
        jobs.items[1]()
        #expect(received.items == [1, 2])
        // The jobs keep the subscriber, which keeps the jobs.
        jobs.forget()
        withExtendedLifetime(token) {}
    }

    @Test("on the main actor") @MainActor func mainActor() async throws {
        let received = Received<Int>()
        let token = session.observe(\.port, on: .mainActor) { change in
            MainActor.assertIsolated()
            received.add(change.new)
        }
        try session.update { $0.port = 1 }
        await eventually("it comes") { () async in received.items == [1] }
        withExtendedLifetime(token) {}
    }

    @Test("a pointer is subscribed to as well, also where nothing is yet") func pointer() throws {
        let session = Session<JSON>(inMemory: ["http": [:]])
        let received = Received<Change<JSON?>>()
        let token = session.observe("/http/port") { received.add($0) }
        try session.update { $0 = ["http": ["port": 80]] }
        eventually("it comes") { received.count == 1 }
        #expect(received.items[0].old == nil)
        #expect(received.items[0].new == 80)
        try session.update { $0 = ["http": [:]] }
        eventually("it goes") { received.count == 2 }
        #expect(received.items[1].new == nil)
        withExtendedLifetime(token) {}
    }
}

/// Closed until somebody opens it for good.
final class Gate: Sendable {
    private let isOpen = Lock(false)

    func open() { isOpen.withLock { $0 = true } }

    func wait() { eventually("the gate opens", within: .seconds(60)) { isOpen.withLock { $0 } } }
}

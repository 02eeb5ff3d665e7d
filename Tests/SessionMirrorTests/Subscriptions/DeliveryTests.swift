import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Delivery of changes") struct DeliveryTests {
    let session = Session(inMemory: Server())

    @Test("A change carries the previous and the new value, the version and the origin")
    func change() throws {
        let received = Received<Change<Int>>()
        let token = session.observe(\.port) { received.add($0) }
        try session.update { $0.port = 9090 }
        eventually("the change is delivered") { received.count == 1 }
        let change = try #require(received.items.first)
        #expect((change.old, change.new) == (8080, 9090))
        #expect(change.version == session.snapshot.version)
        #expect(change.origin == .update)
        token.cancel()
    }

    @Test("A subscriber is not called for changes of other values")
    func otherValue() throws {
        let (ports, greetings) = (Received<Change<Int>>(), Received<Change<String>>())
        let tokens = [
            session.observe(\.port) { ports.add($0) }, session.observe(\.greeting) { greetings.add($0) },
        ]
        try session.update { $0.greeting = "good day" }
        eventually("the greeting is delivered") { greetings.count == 1 }
        try session.update { $0.port = 1 }
        eventually("the port is delivered") { ports.count == 1 }
        #expect(greetings.count == 1)
        withExtendedLifetime(tokens) {}
    }

    @Test("A slow subscriber skips to the newest value, with contiguous old values and growing versions")
    func slow() throws {
        let (received, latch) = (Received<Change<Int>>(), Latch())
        let token = session.observe(\.port) { change in
            received.add(change)
            latch.pass()
        }
        try session.update { $0.port = 1 }
        eventually("the first change is delivered") { received.count == 1 }
        for port in 2...1_000 { try session.update { $0.port = port } }
        latch.open()
        eventually("the last change is delivered") { received.items.last?.new == 1_000 }
        let items = received.items
        #expect(items.count < 1_000)
        for (before, after) in zip(items, items.dropFirst()) {
            #expect(after.old == before.new)
            #expect(after.version > before.version)
        }
        withExtendedLifetime(token) {}
    }

    @Test("Blocked subscribers of a session in memory do not delay other subscribers")
    func blocked() throws {
        let (received, latch) = (Received<Int>(), Latch())
        defer { latch.open() }
        let blocked = (1...20).map { _ in session.observe(\.port) { _ in latch.pass() } }
        let token = session.observe(\.port) { received.add($0.new) }
        try session.update { $0.port = 1 }
        eventually("the change is delivered while others block") { received.items.last == 1 }
        try session.update { $0.port = 2 }
        eventually("the next change is delivered while others block") { received.items.last == 2 }
        withExtendedLifetime((token, blocked)) {}
    }

    @Test(
        "Blocked subscribers do not delay the delivery of edits, however large the file is",
        arguments: [0, Sanitizer.findsRaces ? 1_000_000 : 4_000_000])
    func blockedWithFile(spaces: Int) throws {
        let folder = try TemporaryFolder()
        func write(port: Int) throws {
            try folder.write("server.json", #"{ "port": \#(port)\#(String(repeating: " ", count: spaces)) }"#)
        }
        try write(port: 0)
        let session = try Session(Server(), at: folder.path(of: "server.json"))
        let (received, latch) = (Received<Int>(), Latch())
        defer { latch.open() }
        let token = session.observe(\.port) { received.add($0.new) }
        // The first edits start the threads that handle them, each in a different way.
        for port in 1...5 {
            try write(port: port)
            eventually("edit \(port) is delivered") { received.items.last == port }
        }
        let blocked = (1...3).map { _ in session.observe(\.port) { _ in latch.pass() } }
        for port in 6...8 {
            try write(port: port)
            eventually("edit \(port) is delivered while others block") { received.items.last == port }
        }
        withExtendedLifetime((token, blocked)) {}
    }

    @Test("A value that changes back while its subscriber is busy is not delivered")
    func backAgain() throws {
        let (ports, latch) = (Received<Int>(), Latch())
        let token = session.observe(\.port) { change in
            ports.add(change.new)
            latch.pass()
        }
        try session.update { $0.port = 1 }
        eventually("the first change is delivered") { ports.count == 1 }
        try session.update { $0.port = 2 }
        let snapshot = session.snapshot.version
        try session.update { $0.port = 1 }
        #expect(session.snapshot.version > snapshot)
        let marker = Received<String>()
        let other = session.observe(\.greeting) { marker.add($0.new) }
        try session.update { $0.greeting = "seen" }
        eventually("a later version is delivered") { marker.count == 1 }
        latch.open()
        try session.update { $0.port = 3 }
        eventually("the last change is delivered") { ports.items.last == 3 }
        #expect(ports.items == [1, 3])
        withExtendedLifetime((token, other)) {}
    }

    @Test("A subscription made between two changes receives the second one even if it reverts the first")
    func inBetween() throws {
        let (latch, ports, others) = (Latch(), Received<Int>(), Received<Int>())
        let tokens = [
            session.observe(\.greeting, on: .custom { _ in latch.pass() }) { _ in },
            session.observe(\.port) { others.add($0.new) },
        ]
        try session.update { $0.greeting = "held" }
        eventually("the delivery is blocked") { latch.isWaitedFor }
        try session.update { $0.port = 1 }
        let token = session.observe(\.port) { ports.add($0.new) }
        try session.update { $0.port = 8080 }
        latch.open()
        eventually("the last value is delivered") { ports.items == [8080] }
        #expect(others.items == [])
        withExtendedLifetime((token, tokens)) {}
    }

    @Test("A released subscription receives no further change")
    func cancelled() throws {
        let (mine, others) = (Received<Int>(), Received<Int>())
        var token: Subscription? = session.observe(\.port) { mine.add($0.new) }
        let other = session.observe(\.port) { others.add($0.new) }
        try session.update { $0.port = 1 }
        eventually("both subscribers receive the change") { mine.count == 1 && others.count == 1 }
        token = nil
        try session.update { $0.port = 2 }
        eventually("the other subscriber receives the change") { others.count == 2 }
        #expect(mine.count == 1)
        withExtendedLifetime((other, token)) {}
    }

    @Test("A callback may update its session and subscribe again")
    func inside() throws {
        let (tokens, received) = (Received<Subscription>(), Received<String>())
        let session = session
        let token = session.observe(\.port) { change in
            tokens.add(session.observe(\.greeting) { received.add($0.new) })
            try? session.update { $0.greeting = "port \(change.new)" }
        }
        try session.update { $0.port = 1 }
        eventually("the update in the callback is delivered") { received.items == ["port 1"] }
        withExtendedLifetime(token) {}
    }

    @Test("A custom delivery runs a callback when the caller runs its job")
    func delivery() throws {
        let (jobs, received) = (Received<@Sendable () -> Void>(), Received<Int>())
        let token = session.observe(\.port, on: .custom { jobs.add($0) }) { received.add($0.new) }
        try session.update { $0.port = 1 }
        eventually("the job is submitted") { jobs.count == 1 }
        #expect(received.count == 0)
        jobs.items[0]()
        #expect(received.items == [1])
        try session.update { $0.port = 2 }
        eventually("another job is submitted") { jobs.count == 2 }
        jobs.items[1]()
        #expect(received.items == [1, 2])
        // The jobs retain the subscriber, which retains the jobs.
        jobs.removeAll()
        withExtendedLifetime(token) {}
    }

    @Test("A delivery on the main actor runs callbacks there") @MainActor func mainActor() async throws {
        let received = Received<Int>()
        let token = session.observe(\.port, on: .mainActor) { change in
            MainActor.assertIsolated()
            received.add(change.new)
        }
        try session.update { $0.port = 1 }
        await eventually("the change is delivered") { () async in received.items == [1] }
        withExtendedLifetime(token) {}
    }

    @Test("A subscription to a pointer reports a member that appears and disappears") func pointer() throws {
        let session = Session<JSON>(inMemory: ["http": [:]])
        let received = Received<Change<JSON?>>()
        let token = session.observe("/http/port") { received.add($0) }
        try session.update { $0 = ["http": ["port": 80]] }
        eventually("the change is delivered") { received.count == 1 }
        #expect(received.items[0].old == nil)
        #expect(received.items[0].new == 80)
        try session.update { $0 = ["http": [:]] }
        eventually("the removal is delivered") { received.count == 2 }
        #expect(received.items[1].new == nil)
        withExtendedLifetime(token) {}
    }
}

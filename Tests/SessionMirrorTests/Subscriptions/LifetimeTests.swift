import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Lifetimes of subscriptions") struct LifetimeTests {
    let session = Session(inMemory: Server())

    private final class Receiver: Sendable {
        let received = Received<Int>()
    }

    private actor Counter {
        private(set) var ports: [Int] = []
        private(set) var problems = 0

        func add(_ port: Int) { ports.append(port) }
        func addProblem() { problems += 1 }
    }

    @MainActor private final class Window {
        var titles: [String] = []
    }

    @Test("A subscription bound to an object lasts as long as the object, which it does not keep alive")
    func owner() throws {
        var receiver: Receiver? = Receiver()
        let received = try #require(receiver).received
        session.observe(\.port, initial: true, while: receiver!) { receiver, change in receiver.received.add(change.new)
        }
        eventually("the current value is delivered") { received.items == [8080] }
        try session.update { $0.port = 1 }
        eventually("the change is delivered") { received.items == [8080, 1] }
        weak let released = receiver
        receiver = nil
        eventually("the object is released") { released == nil }
        let others = Received<Int>()
        let token = session.observe(\.port) { others.add($0.new) }
        try session.update { $0.port = 2 }
        eventually("the next change is delivered to others") { others.items == [2] }
        #expect(received.items == [8080, 1])
        withExtendedLifetime(token) {}
    }

    @Test("A subscription bound to an object releases what its callback captures after the object was released")
    func captured() throws {
        final class Resource: Sendable {}
        var (receiver, resource): (Receiver?, Resource?) = (Receiver(), Resource())
        weak let released = resource
        session.observe(\.port, while: receiver!) { [resource] _, _ in withExtendedLifetime(resource) {} }
        resource = nil
        #expect(released != nil)
        receiver = nil
        session.observe("/greeting", as: String.self, while: session) { _, _ in }
        eventually("the captured object is released") { released == nil }
    }

    @Test("The last change before a session is closed reaches a subscription bound to an object") func closed() throws {
        for port in 1...100 {
            let session = Session(inMemory: Server())
            let receiver = Receiver()
            session.observe(\.port, while: receiver) { receiver, change in receiver.received.add(change.new) }
            try session.update { $0.port = port }
            try session.closeBlocking()
            eventually("the change is delivered") { receiver.received.items == [port] }
        }
    }

    @Test("A stored subscription lasts as long as its set") func stored() throws {
        let received = Received<Int>()
        var tokens: Set<Subscription> = []
        session.observe(\.port) { received.add($0.new) }.store(in: &tokens)
        session.mirror.observe { _ in }.store(in: &tokens)
        try session.update { $0.port = 1 }
        eventually("the change is delivered") { received.items == [1] }
        #expect(tokens.count == 2)
        tokens = []
        let others = Received<Int>()
        let token = session.observe(\.port) { others.add($0.new) }
        try session.update { $0.port = 2 }
        eventually("the next change is delivered to others") { others.items == [2] }
        #expect(received.items == [1])
        withExtendedLifetime(token) {}
    }

    @Test("Callbacks on an actor run there, and do not keep it alive") func actor() async throws {
        var counter: Counter? = Counter()
        let token = session.observe(\.port, initial: true, on: counter!) { counter, change in counter.add(change.new) }
        let problems = session.mirror.observe(on: counter!) { counter, report in
            if case .problem = report { counter.addProblem() }
        }
        try session.update { $0.port = 1 }
        session.simulateProblem(SessionProblem(.syntax, in: "server.json", "expected a value"))
        await eventually("the last value is delivered") { [counter] () async in await counter?.ports.last == 1 }
        await eventually("the problem is delivered") { [counter] () async in await counter?.problems == 1 }
        weak let released = counter
        counter = nil
        await eventually("the actor is released") { () async in released == nil }
        try session.update { $0.port = 2 }
        withExtendedLifetime((token, problems)) {}
    }

    @Test("Callbacks on the main actor use its state without any assumption") @MainActor func mainActor() async throws {
        let window = Window()
        session.observe(\.greeting, initial: true, while: window, on: .mainActor) { window, change in
            window.titles.append(change.new)
        }
        let token = session.observe(\.greeting, on: .mainActor) { change in window.titles.append("2 " + change.new) }
        await eventually("the current value is delivered") { () async in window.titles == ["hello"] }
        try session.update { $0.greeting = "good day" }
        await eventually("the change is delivered twice") { () async in window.titles.count == 3 }
        #expect(Set(window.titles) == ["hello", "good day", "2 good day"])
        withExtendedLifetime(token) {}
    }
}

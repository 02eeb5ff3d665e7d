import StoredValues
import TestSupport
import Testing

@Suite("Views of a part of a session") struct SessionViewTests {
    private struct Server: Codable, Sendable {
        var port = 8080
        var limits = Limits()
        var list = [1, 2]

        /// A part that is not stored.
        var both: Limits {
            get { limits }
            set { limits = newValue }
        }
    }

    private struct Limits: Codable, Equatable, Sendable {
        var burst = 5
        var names = ["a", "b"]
        var rate = Rate()

        struct Rate: Codable, Equatable, Sendable {
            var perSecond = 100
        }
    }

    private struct Component {
        let limits: SessionView<Limits>
        func allows(_ count: Int) -> Bool { count <= limits.burst }
    }

    @Test("A component reads and changes its part of a session, and nothing else", arguments: [\Server.limits, \.both])
    private func part(keyPath: any WritableKeyPath<Server, Limits> & Sendable) throws {
        let session = Session(inMemory: Server())
        let component = Component(limits: session.view(keyPath))
        #expect(component.allows(5) && !component.allows(6))
        try session.update { $0.limits.burst = 6 }
        #expect(component.allows(6) && component.limits.value == session.limits)
        let count = try component.limits.update { limits in
            limits.names.append("c")
            return limits.names.count
        }
        #expect(count == 3 && session.limits.names == ["a", "b", "c"] && session.port == 8080)
        #expect(component.limits.read { $0.names.count } == 3 && component.limits.names.last == "c")
    }

    @Test("A view of a view is a part of the part") func nested() throws {
        let session = Session(inMemory: Server())
        let rate = session.view(\.limits).view(\.rate)
        try rate.update { $0.perSecond = 7 }
        #expect(session.limits.rate.perSecond == 7 && rate.perSecond == 7 && rate[\.perSecond] == 7)
    }

    @Test("A view delivers the changes of its members, and only those") func observe() throws {
        let session = Session(inMemory: Server())
        let view = session.view(\.limits)
        let received = Received<Int>()
        let token = view.observe(\.burst, initial: true) { received.add($0.new) }
        let whole = view.observe(\.self) { received.add($0.new.burst + 100) }
        eventually("the current value is delivered") { received.items == [5] }
        try session.update { $0.port = 1 }
        try view.update { $0.burst = 6 }
        eventually("the change is delivered to both") { Set(received.items) == [5, 6, 106] }
        withExtendedLifetime((token, whole)) {}
    }

    @Test("A view delivers on the main actor") @MainActor func mainActor() async throws {
        let session = Session(inMemory: Server())
        var bursts: [Int] = []
        let token = session.view(\.limits).observe(\.burst, on: .mainActor) { bursts.append($0.new) }
        try session.update { $0.limits.burst = 6 }
        while bursts.isEmpty { await Task.yield() }
        #expect(bursts == [6])
        withExtendedLifetime(token) {}
    }

    @Test("The values of a member begin with the current one") func values() async throws {
        let session = Session(inMemory: Server())
        var received: [Int] = []
        for await burst in session.view(\.limits).values(of: \.burst) {
            received.append(burst)
            if burst == 6 { break }
            try session.update { $0.limits.burst = 6 }
        }
        #expect(received == [5, 6])
    }

    @Test("A component is tested with a constant part, or one in memory") func withoutSession() throws {
        let constant = Component(limits: SessionView(constant: Limits(burst: 3)))
        #expect(constant.allows(3) && !constant.allows(4))
        #expect(throws: SessionError.self) { try constant.limits.update { $0.burst = 4 } }
        let inMemory = SessionView(inMemory: Limits(burst: 3))
        try inMemory.update { $0.burst = 4 }
        #expect(inMemory.burst == 4)
    }

    @Test("The error of a change passes through, and nothing has changed") func errors() throws {
        struct Failure: Error {}
        let view = Session(inMemory: Server()).view(\.limits)
        #expect(throws: Failure.self) {
            try view.update { limits in
                limits.burst = 9
                throw Failure()
            }
        }
        #expect(view.burst == 5)
    }
}

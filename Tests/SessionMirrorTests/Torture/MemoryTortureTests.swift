import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Torture of sessions in memory") struct MemoryTortureTests {
    @Test("readers see whole versions, and subscribers that stay get the last one") func twins() async throws {
        let session = Session(inMemory: Twins(0))
        let complaints = Received<String>()
        let visitor = Visitor(session: session, complaints: complaints)
        let witness = Witness(complaints: complaints)
        let token = session.observe(\.self) { witness.heard($0) }
        let loops = Task {
            async let first: Void = visitor.loop()
            async let second: Void = visitor.loop()
            _ = await (first, second)
        }

        let updates = Countdown(4_000)
        let count = updates.count
        let publish: @Sendable () -> Void = {
            updates.work { _ in try! session.update { $0 = Twins($0.first + 1) } }
        }
        let read: @Sendable () -> Void = {
            var reader = Reader(session, complaints: complaints)
            updates.accompany { reader.read() }
        }
        together(publish, publish, read, read, { visitor.visit(while: updates) })

        #expect(session.snapshot.value == Twins(count))
        #expect(session.snapshot.version.number == 1 + count)
        await eventually("the last value arrives") { witness.given == Twins(count) }
        try session.close()
        await loops.value
        #expect(complaints.items == [])
        withExtendedLifetime(token) {}
    }

    @Test("values without a schema are whole too") func json() {
        let session = Session(inMemory: Twins(0).json)
        let complaints = Received<String>()
        let updates = Countdown(4_000)
        let publish: @Sendable () -> Void = {
            updates.work { number in try! session.update { $0 = Twins(number).json } }
        }
        let read: @Sendable () -> Void = {
            updates.accompany {
                let isWhole = session.read { $0 == Twins($0["first"]?.int ?? -1).json }
                if !isWhole { complaints.add("a reader saw a torn value") }
                if session["pair", "numbers"] == nil { complaints.add("keys led nowhere") }
                if session[at: "/pair/numbers/1"] == nil { complaints.add("a pointer led nowhere") }
            }
        }
        let observe: @Sendable () -> Void = {
            var token: Subscription?
            updates.accompany {
                token = session.observe("/last") { if $0.old == $0.new { complaints.add("no change: \($0)") } }
            }
            token?.cancel()
        }
        together(publish, publish, read, read, observe)
        #expect(complaints.items == [])
    }
}

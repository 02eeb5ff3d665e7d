import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Stress test of sessions in memory") struct MemoryTortureTests {
    @Test("Readers see consistent values, and a lasting subscriber receives the last one") func typed() async throws {
        let session = Session(inMemory: PairedValue(0))
        let violations = Received<String>()
        let transientSubscriber = TransientSubscriber(session: session, violations: violations)
        let checker = ConsistencyChecker(violations: violations)
        let token = session.observe(\.self) { checker.receive($0) }
        let loops = Task {
            async let first: Void = transientSubscriber.loop()
            async let second: Void = transientSubscriber.loop()
            _ = await (first, second)
        }

        let updates = Countdown(4_000)
        let count = updates.count
        let publish: @Sendable () -> Void = {
            updates.work { _ in try! session.update { $0 = PairedValue($0.first + 1) } }
        }
        let read: @Sendable () -> Void = {
            var reader = Reader(session, violations: violations)
            updates.accompany { reader.read() }
        }
        concurrently(publish, publish, read, read, { transientSubscriber.subscribeAndCancel(while: updates) })

        #expect(session.snapshot.value == PairedValue(count))
        #expect(session.snapshot.version.number == 1 + count)
        await eventually("the last value is delivered") { checker.lastValue == PairedValue(count) }
        try session.closeBlocking()
        await loops.value
        #expect(violations.items == [])
        withExtendedLifetime(token) {}
    }

    @Test("Readers of a session of JSON see consistent values") func json() {
        let session = Session(inMemory: PairedValue(0).json)
        let violations = Received<String>()
        let updates = Countdown(4_000)
        let publish: @Sendable () -> Void = {
            updates.work { number in try! session.update { $0 = PairedValue(number).json } }
        }
        let read: @Sendable () -> Void = {
            updates.accompany {
                let isWhole = session.read { $0 == PairedValue($0["first"]?.int ?? -1).json }
                if !isWhole { violations.add("a reader saw a torn value") }
                if session["pair", "numbers"] == nil { violations.add("keys found no value") }
                if session[at: "/pair/numbers/1"] == nil { violations.add("a pointer found no value") }
            }
        }
        let observe: @Sendable () -> Void = {
            var token: Subscription?
            updates.accompany {
                token = session.observe("/last") { if $0.old == $0.new { violations.add("no change: \($0)") } }
            }
            token?.cancel()
        }
        concurrently(publish, publish, read, read, observe)
        #expect(violations.items == [])
    }
}

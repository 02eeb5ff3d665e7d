import TestSupport
import Testing

@testable import SessionMirror

@Suite("Subscriber state") struct SubscriberTests {
    private func value(_ number: Int) -> VersionedValue<Int> {
        let version = (1..<number).reduce(Version.first) { version, _ in version.next }
        return .init(value: number, version: version, origin: .external)
    }

    @Test("A subscriber ignores values older than those that it was offered or has taken")
    func late() {
        let calls = Received<Int>()
        let subscriber = Subscriber(initial: value(3)) { _ in calls.add(1) }
        subscriber.offer(value(2))
        subscriber.offer(value(3))
        #expect(calls.count == 0)
        subscriber.offer(value(5))
        subscriber.offer(value(4))
        #expect(calls.count == 1)
        #expect(subscriber.take()?.new == 5)
        subscriber.offer(value(4))
        #expect(subscriber.take() == nil)
    }

    @Test("A subscriber is notified once until all values are taken") func calls() {
        let calls = Received<Int>()
        let subscriber = Subscriber(initial: value(1)) { _ in calls.add(1) }
        for number in 2...9 { subscriber.offer(value(number)) }
        #expect(calls.count == 1)
        #expect(subscriber.take()?.old == 1)
        subscriber.offer(value(10))
        #expect(calls.count == 1)
        #expect(subscriber.take()?.old == 9)
        #expect(subscriber.take() == nil)
        subscriber.offer(value(11))
        #expect(calls.count == 2)
    }
}

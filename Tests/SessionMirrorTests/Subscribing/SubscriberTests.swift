import Testing

@testable import SessionMirror

@Suite("A subscriber's mailbox") struct SubscriberTests {
    private func news(_ number: Int) -> Subscriber<Int>.News {
        let version = (1..<number).reduce(Version.first) { version, _ in version.next }
        return .init(value: number, version: version, origin: .external)
    }

    @Test("takes nothing that is older than what it has seen or was offered, however late it comes")
    func late() {
        let calls = Received<Int>()
        let subscriber = Subscriber(seen: news(3)) { _ in calls.add(1) }
        subscriber.offer(news(2))
        subscriber.offer(news(3))
        #expect(calls.count == 0)
        subscriber.offer(news(5))
        subscriber.offer(news(4))
        #expect(calls.count == 1)
        #expect(subscriber.take()?.new == 5)
        subscriber.offer(news(4))
        #expect(subscriber.take() == nil)
    }

    @Test("calls once until all was taken") func calls() {
        let calls = Received<Int>()
        let subscriber = Subscriber(seen: news(1)) { _ in calls.add(1) }
        for number in 2...9 { subscriber.offer(news(number)) }
        #expect(calls.count == 1)
        #expect(subscriber.take()?.old == 1)
        subscriber.offer(news(10))
        #expect(calls.count == 1)
        #expect(subscriber.take()?.old == 9)
        #expect(subscriber.take() == nil)
        subscriber.offer(news(11))
        #expect(calls.count == 2)
    }
}

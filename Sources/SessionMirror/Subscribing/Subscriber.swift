internal import Locking

/// One who wants to hear of a value: keeps what it was given last, and the newest that it was not given yet.
///
/// A slow one skips what came in between; a value that went away and came back meanwhile is no change at all.
final class Subscriber<Value: Equatable & Sendable>: Sendable {
    /// A value, and the version that brought it.
    struct News: Sendable {
        let value: Value
        let version: Version
        let origin: Origin
    }

    private struct Mailbox {
        var given: Value
        var newest: News?
        var isCalled = false
        var isOver = false
    }

    private let mailbox: Lock<Mailbox>
    private let call: @Sendable (Subscriber) -> Void
    private let end: @Sendable () -> Void

    /// One who has seen `value`. There is news: `call`, once until all of it was taken. There will be none: `end`.
    init(
        seen value: Value, call: @escaping @Sendable (Subscriber) -> Void, end: @escaping @Sendable () -> Void = {}
    ) {
        mailbox = Lock(Mailbox(given: value))
        self.call = call
        self.end = end
    }

    /// News that takes the place of any that was not taken.
    func offer(_ news: News) {
        let isToBeCalled = mailbox.withLock { mailbox in
            if mailbox.isOver { return false }
            mailbox.newest = news
            defer { mailbox.isCalled = true }
            return !mailbox.isCalled
        }
        if isToBeCalled { call(self) }
    }

    /// The change from what was given last, which it now is itself; nil if there is none, and then the next offer calls.
    ///
    /// One thread at a time takes: the comparison runs code of the caller, so outside the lock.
    func take() -> Change<Value>? {
        while let (given, news) = nextOffer() {
            if news.value == given { continue }
            mailbox.withLock { $0.given = news.value }
            return Change(old: given, new: news.value, version: news.version, origin: news.origin)
        }
        return nil
    }

    private func nextOffer() -> (given: Value, news: News)? {
        mailbox.withLock { mailbox in
            guard let news = mailbox.newest, !mailbox.isOver else {
                mailbox.isCalled = false
                return nil
            }
            mailbox.newest = nil
            return (mailbox.given, news)
        }
    }

    /// Nothing more is wanted: what was not taken is dropped.
    func cancel() {
        mailbox.withLock {
            $0.isOver = true
            $0.newest = nil
        }
        end()
    }

    /// Nothing more will come; what was not taken can still be.
    func finish() { end() }
}

extension Subscriber {
    /// One whose `body` runs by `delivery`.
    static func callback(
        seen value: Value, by delivery: Delivery, _ body: @escaping @Sendable (Change<Value>) -> Void
    ) -> Subscriber {
        Subscriber(seen: value) { subscriber in
            delivery.run {
                while let change = subscriber.take() { body(change) }
            }
        }
    }
}

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
        /// The latest version that was seen or offered: what is older comes late, from a thread that was overtaken.
        var latest: Version
        var newest: News?
        var isCalled = false
        var isOver = false
    }

    private let mailbox: Lock<Mailbox>
    private let call: @Sendable (Subscriber) -> Void
    private let end: @Sendable () -> Void

    /// One who has seen what `news` says. There is more: `call`, once until all of it was taken. There will be none: `end`.
    init(
        seen news: News, call: @escaping @Sendable (Subscriber) -> Void, end: @escaping @Sendable () -> Void = {}
    ) {
        mailbox = Lock(Mailbox(given: news.value, latest: news.version))
        self.call = call
        self.end = end
    }

    /// News that takes the place of any that was not taken.
    func offer(_ news: News) {
        // What is dropped goes outside: its end may be code of the caller.
        let (isToBeCalled, _) = mailbox.withLock { mailbox -> (Bool, News?) in
            if mailbox.isOver || news.version <= mailbox.latest { return (false, nil) }
            let dropped = mailbox.newest
            mailbox.newest = news
            mailbox.latest = news.version
            defer { mailbox.isCalled = true }
            return (!mailbox.isCalled, dropped)
        }
        if isToBeCalled { call(self) }
    }

    /// The change from what was given last, which it now is itself; nil if there is none, and then the next offer calls.
    ///
    /// One thread at a time takes: the comparison runs code of the caller, so outside the lock.
    func take() -> Change<Value>? {
        while let (given, news) = nextOffer() {
            if news.value == given { continue }
            _ = mailbox.withLock { mailbox in
                defer { mailbox.given = news.value }
                return mailbox.given
            }
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
        _ = mailbox.withLock { mailbox in
            mailbox.isOver = true
            defer { mailbox.newest = nil }
            return mailbox.newest
        }
        end()
    }

    /// Nothing more will come; what was not taken can still be.
    func finish() { end() }
}

extension Subscriber {
    /// One whose `body` runs by `delivery`.
    static func callback(
        seen news: News, by delivery: Delivery, _ body: @escaping @Sendable (Change<Value>) -> Void
    ) -> Subscriber {
        Subscriber(seen: news) { subscriber in
            delivery.run {
                while let change = subscriber.take() { body(change) }
            }
        }
    }
}

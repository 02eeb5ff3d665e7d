import LosslessJSON
import SessionMirror
import TestSupport

/// Subscribes to a session in every way, and cancels the subscriptions again.
struct TransientSubscriber: Sendable {
    let session: Session<PairedValue>
    let violations: Received<String>

    /// Subscribes with callbacks, on the calling thread.
    func subscribeAndCancel(while countdown: Countdown) {
        var tokens: [Subscription] = []
        countdown.accompany {
            tokens.append(contentsOf: subscribe())
            // Some subscriptions are cancelled, some are released, and some stay for a while.
            guard tokens.count > 40 else { return }
            for token in tokens[..<10] { token.cancel() }
            tokens.removeFirst(30)
        }
    }

    private func subscribe() -> [Subscription] {
        let checkers = (0..<2).map { _ in ConsistencyChecker(violations: violations) }
        return [
            session.observe(\.self) { [session] change in
                checkers[0].receive(change)
                if session.snapshot.version < change.version { violations.add("\(change) before it was published") }
            },
            session.observe(\.self, on: .custom { $0() }) { checkers[1].receive($0) },
            session.observe("/last") { [violations] in if $0.old == $0.new { violations.add("no change: \($0)") } },
            session.mirror.observe { _ in },
        ]
    }

    /// Subscribes with change sequences, until the session is closed.
    func loop() async {
        var isOver = false
        while !isOver {
            let checker = ConsistencyChecker(violations: violations)
            var count = 0
            isOver = true
            for await change in session.changes(of: \.self) {
                checker.receive(change)
                count += 1
                guard count == 5 else { continue }
                isOver = false
                break
            }
        }
    }
}

import LosslessJSON
import SessionMirror

/// Subscribes to a session in every way there is, and goes again.
struct Visitor: Sendable {
    let session: Session<Twins>
    let complaints: Received<String>

    /// With callbacks, on the thread that calls this.
    func visit(while countdown: Countdown) {
        var tokens: [Subscription] = []
        countdown.accompany {
            tokens.append(contentsOf: subscribe())
            // Some are cancelled, some just let go, and some stay for a while.
            guard tokens.count > 40 else { return }
            for token in tokens[..<10] { token.cancel() }
            tokens.removeFirst(30)
        }
    }

    private func subscribe() -> [Subscription] {
        let witnesses = (0..<2).map { _ in Witness(complaints: complaints) }
        return [
            session.observe(\.self) { [session] change in
                witnesses[0].heard(change)
                if session.snapshot.version < change.version { complaints.add("\(change) before its time") }
            },
            session.observe(\.self, on: .custom { $0() }) { witnesses[1].heard($0) },
            session.observe("/last") { [complaints] in if $0.old == $0.new { complaints.add("no change: \($0)") } },
            session.mirror.observe { _ in },
        ]
    }

    /// With loops, until the session is closed.
    func loop() async {
        var isOver = false
        while !isOver {
            let witness = Witness(complaints: complaints)
            var count = 0
            isOver = true
            for await change in session.changes(of: \.self) {
                witness.heard(change)
                count += 1
                guard count == 5 else { continue }
                isOver = false
                break
            }
        }
    }
}

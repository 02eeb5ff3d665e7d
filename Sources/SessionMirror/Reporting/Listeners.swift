internal import Locking

/// Those who want to hear what happens between a session and its file, each in its own time.
final class Listeners: Sendable {
    private struct State {
        var listeners: [ObjectIdentifier: Listener] = [:]
        var isOver = false
    }

    private let state = Lock(State())

    /// Whether nothing more will come.
    var isOver: Bool { state.withLock { $0.isOver } }

    var isEmpty: Bool { state.withLock { $0.listeners.isEmpty } }

    func add(_ listener: Listener) -> Subscription {
        state.withLock { $0.listeners[ObjectIdentifier(listener)] = listener }
        return Subscription { [weak self] in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: ObjectIdentifier(listener)) }
            listener.cancel()
        }
    }

    func tell(_ report: NumberedReport) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.tell(report) }
    }

    /// Nothing more will come.
    func finish() {
        let listeners = state.withLock { state in
            state.isOver = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}

/// A report and how many there were before it, and itself.
struct NumberedReport: Sendable {
    let number: Int
    let report: MirrorReport
}

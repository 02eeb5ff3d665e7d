internal import Locking

/// Those who want to hear what happens between a session and its file, each in its own time.
final class Listeners: Sendable {
    private let listeners = Lock<[ObjectIdentifier: Listener]>([:])

    func add(_ listener: Listener) -> Subscription {
        listeners.withLock { $0[ObjectIdentifier(listener)] = listener }
        return Subscription { [weak self] in
            _ = self?.listeners.withLock { $0.removeValue(forKey: ObjectIdentifier(listener)) }
            listener.cancel()
        }
    }

    func tell(_ report: NumberedReport) {
        for listener in listeners.withLock({ Array($0.values) }) { listener.tell(report) }
    }

    /// Nothing more will come.
    func finish() {
        let listeners = listeners.withLock { listeners in
            defer { listeners = [:] }
            return Array(listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}

/// A report and how many there were before it, and itself.
struct NumberedReport: Sendable {
    let number: Int
    let report: MirrorReport
}

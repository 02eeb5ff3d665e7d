import Locking
import SessionMirror
import TestSupport

/// A subscriber that checks each change against the guarantees.
final class ConsistencyChecker: Sendable {
    private let last = Lock<Change<PairedValue>?>(nil)
    private let violations: Received<String>

    init(violations: Received<String>) { self.violations = violations }

    func receive(_ change: Change<PairedValue>) {
        let before = last.withLock { last in
            defer { last = change }
            return last
        }
        if !change.new.isWhole { violations.add("torn: \(change)") }
        if change.old == change.new { violations.add("no change: \(change)") }
        guard let before else { return }
        if change.old != before.new { violations.add("\(change) after \(before)") }
        if change.version <= before.version { violations.add("\(change) after \(before)") }
    }

    /// The value delivered last.
    var lastValue: PairedValue? { last.withLock { $0?.new } }
}

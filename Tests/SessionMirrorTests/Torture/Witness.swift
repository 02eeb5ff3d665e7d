import Locking
import SessionMirror

/// A subscriber that knows what may come, and complains of everything else.
final class Witness: Sendable {
    private let last = Lock<Change<Twins>?>(nil)
    private let complaints: Received<String>

    init(complaints: Received<String>) { self.complaints = complaints }

    func heard(_ change: Change<Twins>) {
        let before = last.withLock { last in
            defer { last = change }
            return last
        }
        if !change.new.isWhole { complaints.add("torn: \(change)") }
        if change.old == change.new { complaints.add("no change: \(change)") }
        guard let before else { return }
        if change.old != before.new { complaints.add("\(change) after \(before)") }
        if change.version <= before.version { complaints.add("\(change) after \(before)") }
    }

    /// What it was given last.
    var given: Twins? { last.withLock { $0?.new } }
}

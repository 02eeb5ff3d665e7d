import LosslessJSON
import SessionMirror
import TestSupport

/// Reads a session in every way.
struct Reader {
    private let session: Session<PairedValue>
    private let violations: Received<String>
    private var version: Version

    init(_ session: Session<PairedValue>, violations: Received<String>) {
        self.session = session
        self.violations = violations
        version = session.snapshot.version
    }

    mutating func read() {
        let first = session.first
        if session[\.words].isEmpty { violations.add("\(first) has no words") }
        // Another thread may publish between the two reads.
        let isWhole = session.read { value in value.isWhole && session.read { $0.isWhole } }
        if !isWhole { violations.add("a reader saw a torn value") }
        readSnapshot()
    }

    private mutating func readSnapshot() {
        let snapshot = session.snapshot
        if !snapshot.value.isWhole { violations.add("a snapshot is torn: \(snapshot.value)") }
        if snapshot.version < version { violations.add("version \(snapshot.version) after \(version)") }
        version = snapshot.version
        let json = snapshot.json
        // While the file is missing there are only defaults, and the tree is empty.
        if json != snapshot.value.json, json != [:] { violations.add("a tree is torn: \(json)") }
    }
}

import LosslessJSON
import SessionMirror

/// Reads a session in every way there is.
struct Reader {
    private let session: Session<Twins>
    private let complaints: Received<String>
    private var version: Version

    init(_ session: Session<Twins>, complaints: Received<String>) {
        self.session = session
        self.complaints = complaints
        version = session.snapshot.version
    }

    mutating func read() {
        let first = session.first
        if session[\.words].isEmpty { complaints.add("\(first) has no words") }
        // Others may publish between the two, and neither sees two versions.
        let isWhole = session.read { twins in twins.isWhole && session.read { $0.isWhole } }
        if !isWhole { complaints.add("a reader saw a torn value") }
        readSnapshot()
    }

    private mutating func readSnapshot() {
        let snapshot = session.snapshot
        if !snapshot.value.isWhole { complaints.add("a snapshot is torn: \(snapshot.value)") }
        if snapshot.version < version { complaints.add("version \(snapshot.version) after \(version)") }
        version = snapshot.version
        let json = snapshot.json
        // Where there is no file, there are only defaults.
        if json != snapshot.value.json, json != [:] { complaints.add("a tree is torn: \(json)") }
    }
}

import TestSupport
import Testing

/// Somewhere files are replaced, and what comes of it there.
struct Environment: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        /// It works, and that is what the result tells.
        case says(String)
        /// The old bytes stay.
        case refuses(String)
    }

    let name: String
    /// A shell script that makes it, with `there/a.json` in it.
    let preparation: String
    /// What takes away what outlives the shell.
    var ending = "true"
    var user = PrivateShell.User.root
    /// For the probe.
    var settings = ""
    /// Of `there/a.json`.
    let replacing: Outcome
    /// Of `there/missing.json`.
    let creating: Outcome
    /// Owner, group and permissions, where they cannot be kept.
    var changedRights: String?
    /// What lies there beside the file.
    var neighbours: [String] = []

    var testDescription: String { name }

    init(
        _ name: String, _ preparation: String, ending: String = "true", as user: PrivateShell.User = .root,
        settings: String = "",
        replacing: Outcome, creating: Outcome = .created, changedRights: String? = nil, neighbours: [String] = []
    ) {
        (self.name, self.preparation, self.ending, self.user) = (name, preparation, ending, user)
        (self.settings, self.replacing, self.creating) = (settings, replacing, creating)
        (self.changedRights, self.neighbours) = (changedRights, neighbours)
    }
}

extension Environment.Outcome {
    static let exchanged = says("exchanged, complete, lease held, lock held")
    static let overwritten = says("overwritten, complete, lease held, lock held")
    static let created = says("created, complete, lease noFile, lock held")

    static let folderRefuses = refuses(
        "permission, create, 13: Permission denied; the user of this program must be allowed to write to its folder")
    static func readOnly(_ operation: String) -> Self {
        refuses(
            "readOnly, \(operation), 30: Read-only file system; see with findmnt how its file system is mounted")
    }
    static func full(_ operation: String) -> Self { refuses("full, \(operation), 28: No space left on device") }

    var words: String {
        switch self {
        case .says(let words), .refuses(let words): words
        }
    }

    var code: Int32 { if case .says = self { 0 } else { 1 } }
}

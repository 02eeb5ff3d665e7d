import TestSupport
import Testing

/// An environment for replacing files, and the expected results in it.
struct Environment: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        /// It succeeds with this result.
        case succeeds(String)
        /// It fails with this error, and the old contents stay.
        case fails(String)
    }

    let name: String
    /// A shell script that sets it up, with `there/a.json` in it.
    let preparation: String
    /// A shell script that removes what outlives the shell.
    var cleanup = "true"
    var user = PrivateShell.User.root
    /// Environment variables for the probe.
    var settings = ""
    /// The result for `there/a.json`.
    let replacing: Outcome
    /// The result for `there/missing.json`.
    let creating: Outcome
    /// The resulting owner, group and permissions, if they cannot be kept.
    var changedMetadata: String?
    /// The other files in the directory.
    var otherFiles: [String] = []

    var testDescription: String { name }

    init(
        _ name: String, _ preparation: String, cleanup: String = "true", as user: PrivateShell.User = .root,
        settings: String = "",
        replacing: Outcome, creating: Outcome = .created, changedMetadata: String? = nil, otherFiles: [String] = []
    ) {
        (self.name, self.preparation, self.cleanup, self.user) = (name, preparation, cleanup, user)
        (self.settings, self.replacing, self.creating) = (settings, replacing, creating)
        (self.changedMetadata, self.otherFiles) = (changedMetadata, otherFiles)
    }
}

extension Environment.Outcome {
    static let exchanged = succeeds("exchanged, complete, lease held, lock held")
    static let overwritten = succeeds("overwritten, complete, lease held, lock held")
    static let created = succeeds("created, complete, lease noFile, lock held")

    static let unwritableDirectory = fails(
        "permission, create, 13: Permission denied; user 1234 needs write permission for the directory there,"
            + " see chmod and chown, or choose another directory")
    static func readOnly(_ operation: String) -> Self {
        fails(
            "readOnly, \(operation), 30: Read-only file system; check the mount options with findmnt")
    }
    static func full(_ operation: String) -> Self {
        fails(
            "full, \(operation), 28: No space left on device; free space on the file system of there, see df and df -i")
    }

    var output: String {
        switch self {
        case .succeeds(let output), .fails(let output): output
        }
    }

    var code: Int32 { if case .succeeds = self { 0 } else { 1 } }
}

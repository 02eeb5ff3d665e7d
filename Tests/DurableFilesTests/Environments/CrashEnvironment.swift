import Testing

/// An environment in which a process is killed while it replaces a file.
struct CrashEnvironment: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// A shell script that sets it up. `there/a.json` gets its old contents back before each run.
    let preparation: String
    var user = PrivateShell.User.root
    var settings = ""
    /// A shell script that removes what outlives the shell.
    var cleanup = "true"
    /// Whether backup copies go to a separate directory.
    var usesBackupDirectory = false
    /// Whether a crash may leave the file partly written.
    var canTear = true

    static let all = atomic + inPlace

    /// Environments in which the new version replaces the old one.
    static let atomic = [
        CrashEnvironment(
            testDescription: "the temporary directory's file system", preparation: "put there/a.json", canTear: false),
        CrashEnvironment(
            testDescription: "FUSE (bindfs), which can only rename",
            preparation: "mkdir behind && put behind/a.json && bindfs behind there", canTear: false),
    ]

    /// Environments in which files can only be overwritten in place.
    private static let inPlace = [
        CrashEnvironment(
            testDescription: "a bind-mounted file",
            preparation: "put real.json && touch there/a.json && mount --bind real.json there/a.json"),
        CrashEnvironment(
            testDescription: "own file in an unwritable directory",
            preparation: "put there/a.json 1234:1234", user: .stranger, usesBackupDirectory: true),
        CrashEnvironment(
            testDescription: "own file in a directory that is neither writable nor listable",
            preparation: "put there/a.json 1234:1234 && chmod 711 there", user: .stranger,
            usesBackupDirectory: true),
        CrashEnvironment(
            testDescription: "another user's file in a sticky directory, without leases",
            preparation: "put there/a.json && chmod 666 there/a.json && chmod 1777 there", user: .stranger),
        CrashEnvironment(
            testDescription: "an append-only directory", preparation: "put there/a.json && chattr +a there",
            cleanup: "chattr -a there", usesBackupDirectory: true),
        CrashEnvironment(
            testDescription: "a file with two hard links that are kept",
            preparation: "put there/a.json && ln there/a.json other", settings: "KEEP_LINKS=1"),
    ]
}

import Testing

/// Somewhere a process may be killed while it replaces a file.
struct CrashPlace: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// A shell script that makes it. Before each run `there/a.json` gets its old bytes back.
    let preparation: String
    var user = PrivateShell.User.root
    var settings = ""
    /// What takes away what outlives the shell.
    var ending = "true"
    /// Whether copies lie in a folder of their own.
    var keepsCopiesElsewhere = false
    /// Whether a file there may be found half written.
    var tears = true

    static let all = whole + torn

    /// Where the new version takes the place of the old one.
    static let whole = [
        CrashPlace(
            testDescription: "the file system of temporary folders", preparation: "put there/a.json", tears: false),
        CrashPlace(
            testDescription: "FUSE, by bindfs, where there is only renaming",
            preparation: "mkdir behind && put behind/a.json && bindfs behind there", tears: false),
    ]

    /// Where files can only be written in place.
    private static let torn = [
        CrashPlace(
            testDescription: "a file that is mounted by itself",
            preparation: "put real.json && touch there/a.json && mount --bind real.json there/a.json"),
        CrashPlace(
            testDescription: "one's own file in a folder that cannot be written to",
            preparation: "put there/a.json 1234:1234", user: .stranger, keepsCopiesElsewhere: true),
        CrashPlace(
            testDescription: "one's own file in a folder that can be neither written to nor listed",
            preparation: "put there/a.json 1234:1234 && chmod 711 there", user: .stranger,
            keepsCopiesElsewhere: true),
        CrashPlace(
            testDescription: "another user's file in a sticky folder, on which there are no leases",
            preparation: "put there/a.json && chmod 666 there/a.json && chmod 1777 there", user: .stranger),
        CrashPlace(
            testDescription: "a folder that can only grow", preparation: "put there/a.json && chattr +a there",
            ending: "chattr -a there", keepsCopiesElsewhere: true),
        CrashPlace(
            testDescription: "a file with two names that are to stay",
            preparation: "put there/a.json && ln there/a.json other", settings: "KEEP_LINKS=1"),
    ]
}

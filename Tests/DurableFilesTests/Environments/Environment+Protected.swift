/// Environments in which the directory or the file is protected against some or all users.
extension Environment {
    static let protected = flagged + unwritable + ofOthers

    private static let flagged = [
        Environment(
            "an immutable file (chattr +i)", "put there/a.json && chattr +i there/a.json",
            cleanup: "chattr -i there/a.json", replacing: .immutable),
        Environment(
            "an immutable directory (chattr +i)", "put there/a.json && chattr +i there",
            cleanup: "chattr -i there", replacing: .overwritten,
            creating: .fails(
                "permission, create, 1: Operation not permitted; "
                    + "the directory there may be immutable or append-only, see lsattr -d")),
        Environment(
            "an append-only directory (chattr +a)", "put there/a.json && chattr +a there",
            cleanup: "chattr -a there", replacing: .overwritten),
    ]

    private static let unwritable = [
        Environment(
            "own file in an unwritable directory", "put there/a.json 1234:1234", as: .stranger,
            replacing: .overwritten, creating: .unwritableDirectory),
        Environment(
            "own file in a directory that is neither writable nor listable",
            "put there/a.json 1234:1234 && chmod 711 there", as: .stranger,
            replacing: .succeeds("overwritten, complete, lease held, lock unavailable(9)"),
            creating: .unwritableDirectory),
        Environment(
            "own file in a directory that is not listable",
            "put there/a.json 1234:1234 && chown 1234 there && chmod 311 there", as: .stranger,
            replacing: .succeeds("exchanged, contentsOnly, lease held, lock unavailable(9)"),
            creating: .succeeds("created, contentsOnly, lease noFile, lock unavailable(9)")),
    ]

    private static let ofOthers = [
        Environment(
            "another user's world-writable file in a world-writable directory",
            "put there/a.json && chmod 666 there/a.json && chmod 777 there", as: .stranger,
            replacing: .succeeds("exchanged, complete, lease unavailable(13), lock held, lost user group"),
            changedMetadata: "1234:1234 606"),
        Environment(
            "another user's read-only file in a world-writable directory",
            "put there/a.json && chmod 644 there/a.json && chmod 777 there", as: .stranger, replacing: .unwritableFile),
        Environment(
            "another user's world-writable file in a sticky directory",
            "put there/a.json && chmod 666 there/a.json && chmod 1777 there", as: .stranger,
            replacing: .succeeds("overwritten, complete, lease unavailable(13), lock held")),
    ]
}

extension Environment.Outcome {
    fileprivate static let immutable = fails(
        "permission, write, 1: Operation not permitted; "
            + "the file is immutable: remove the attribute with chattr -i")
    fileprivate static let unwritableFile = fails(
        "permission, write, 13: Permission denied; "
            + "user 1234 needs write permission for the file, see chmod and chown")
}

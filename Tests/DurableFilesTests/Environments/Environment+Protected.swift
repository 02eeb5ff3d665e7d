/// Where the folder or the file is protected against some or all.
extension Environment {
    static let protected = flagged + unwritable + ofOthers

    private static let flagged = [
        Environment(
            "a file that cannot be changed (chattr +i)", "put there/a.json && chattr +i there/a.json",
            ending: "chattr -i there/a.json", replacing: .protected),
        Environment(
            "a folder that cannot be changed (chattr +i)", "put there/a.json && chattr +i there",
            ending: "chattr -i there", replacing: .overwritten,
            creating: .refuses(
                "permission, create, 1: Operation not permitted; "
                    + "the user of this program must be allowed to write to its folder")),
        Environment(
            "a folder that can only grow (chattr +a)", "put there/a.json && chattr +a there",
            ending: "chattr -a there", replacing: .overwritten),
    ]

    private static let unwritable = [
        Environment(
            "one's own file in a folder that cannot be written to", "put there/a.json 1234:1234", as: .stranger,
            replacing: .overwritten, creating: .folderRefuses),
        Environment(
            "one's own file in a folder that can be neither written to nor listed",
            "put there/a.json 1234:1234 && chmod 711 there", as: .stranger,
            replacing: .says("overwritten, complete, lease held, lock unavailable(9)"), creating: .folderRefuses),
        Environment(
            "one's own file in a folder that cannot be listed",
            "put there/a.json 1234:1234 && chown 1234 there && chmod 311 there", as: .stranger,
            replacing: .says("exchanged, withoutName, lease held, lock unavailable(9)"),
            creating: .says("created, withoutName, lease noFile, lock unavailable(9)")),
    ]

    private static let ofOthers = [
        Environment(
            "another user's file that everybody may write to, in such a folder",
            "put there/a.json && chmod 666 there/a.json && chmod 777 there", as: .stranger,
            replacing: .says("exchanged, complete, lease unavailable(13), lock held, lost user group"),
            changedRights: "1234:1234 606"),
        Environment(
            "another user's file that we may not write to, in a folder where we may",
            "put there/a.json && chmod 644 there/a.json && chmod 777 there", as: .stranger, replacing: .notOurs),
        Environment(
            "another user's file that everybody may write to, in a sticky folder",
            "put there/a.json && chmod 666 there/a.json && chmod 1777 there", as: .stranger,
            replacing: .says("overwritten, complete, lease unavailable(13), lock held")),
    ]
}

extension Environment.Outcome {
    fileprivate static let protected = refuses(
        "permission, write, 1: Operation not permitted; "
            + "it is protected against everybody: chattr -i takes that away")
    fileprivate static let notOurs = refuses(
        "permission, write, 13: Permission denied; "
            + "the user of this program must be allowed to write to it, see chmod")
}

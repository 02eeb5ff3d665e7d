import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

/// Real processes that run as another user from the start.
@Suite("Unprivileged processes", .asAnyUser, .needs(.setpriv))
struct OtherUsersTests {
    private let fixture: MultiUserFixture

    init() throws {
        fixture = try MultiUserFixture()
        let (built, own) = (Program.built("ReplaceProbe").path, fixture.path("probe"))
        let result = try Program.shell.run(
            ["-c", "ln '\(built)' '\(own)' 2>/dev/null || cp '\(built)' '\(own)'"], in: fixture.folder)
        try #require(result.code == 0)
    }

    private func replace(_ name: String, as user: UInt32 = MultiUserFixture.other) throws -> Program.Result {
        try Programs.setpriv.program.run(
            MultiUserFixture.command(as: user, "exec ./probe replace '\(name)' ours"), in: fixture.folder,
            environment: ["XDG_STATE_HOME": "/nonexistent"])
    }

    @Test("An unprivileged process follows the `current` link of the user who deploys", arguments: ["", "$PWD/home/"])
    func current(beginning: String) throws {
        try fixture.run("mkdir -m 777 -p home/releases/1; ln -s \(beginning)releases/1 home/current")
        let result = try replace("home/current/a.json")
        #expect(result.code == 0 && result.output.hasPrefix("created"), "\(result)")
    }

    @Test("An unprivileged process follows only its own links in a group-writable directory")
    func group() throws {
        try fixture.make("mine", owner: MultiUserFixture.other, mode: 0o755)
        try fixture.run("ln -s ../mine/a.json shared/a.json; ln -s ../mine shared/conf")
        for name in ["shared/a.json", "shared/conf/a.json"] {
            let result = try replace(name)
            #expect(result.code == 1 && result.output.contains("is a symbolic link of user 4321"), "\(result)")
        }
        try fixture.run(as: MultiUserFixture.other, "ln -s ../mine/a.json shared/b.json")
        #expect(try replace("shared/b.json").code == 0)
        #expect(try fixture.text("mine/a.json") == "ours")
    }

    @Test("A group member replaces a file that another member wrote last")
    func groupFile() throws {
        try fixture.run(
            "echo theirs > shared/a.json; chgrp \(MultiUserFixture.group) shared/a.json; chmod 664 shared/a.json")
        #expect(try replace("shared/a.json").code == 0)
        #expect(try fixture.text("shared/a.json") == "ours")
    }

    @Test("A process with CAP_DAC_OVERRIDE follows no link of another user")
    func capabilities() throws {
        try fixture.run("ln -s ../system/a.json home/a.json")
        let result = try Programs.setpriv.program.run(
            [
                "--reuid", "\(MultiUserFixture.other)", "--regid", "\(MultiUserFixture.other)", "--clear-groups",
                "--inh-caps=+dac_override",
                "--ambient-caps=+dac_override", "./probe", "replace", "home/a.json", "ours",
            ], in: fixture.folder, environment: ["XDG_STATE_HOME": "/nonexistent"])
        #expect(result.code == 1 && result.output.contains("is a symbolic link of user 4321"), "\(result)")
        try fixture.expectIntact()
    }
}

import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("Paths that root trusts", .asAnyUser, .needs(.setpriv))
struct TrustedPathTests {
    private let fixture: MultiUserFixture

    init() throws { fixture = try MultiUserFixture() }

    private func expectWritten(_ name: String, _ before: String, _ options: ReplaceOptions = .durable) throws {
        #expect(try fixture.read(name) == before)
        let replacement = try fixture.add("ours", to: name, options)
        #expect(replacement.text == "\(before) ours" && replacement.lock == .held)
        #expect(try fixture.read(name) == "\(before) ours" && fixture.calls.openDescriptors == [])
    }

    @Test("Root replaces a user's own file, which keeps its owner")
    func ownFile() throws {
        try fixture.run(
            "mkdir home/conf; printf %s theirs > home/conf/a.json; ln -s conf home/link; ln -s conf/a.json home/b")
        try expectWritten("home/conf/a.json", "theirs")
        #expect(try fixture.add("again", to: "home/link/a.json").text == "theirs ours again")
        #expect(try fixture.add("b", to: "home/b").text == "theirs ours again b")
        #expect(try Kernel.shared.status(at: fixture.path("home/b")).user == MultiUserFixture.user)
    }

    @Test("Root creates a file in a user's directory and replaces it later")
    func created() throws {
        #expect(try fixture.add("first", to: "home/a.json").method == .created)
        try expectWritten("home/a.json", "first")
        // The user's own link to it is no risk: the user could have renamed the file as well.
        try fixture.run("ln -s a.json home/link; ln -s new.json home/dangling")
        #expect(try fixture.add("linked", to: "home/link").text == "first ours linked")
        #expect(try fixture.add("new", to: "home/dangling").method == .created)
        try expectWritten("home/dangling", "new")
    }

    @Test("Root follows a user's `current` link to that user's own files")
    func current() throws {
        try fixture.run(
            "mkdir -p home/releases/1; printf %s one > home/releases/1/a.json; ln -s releases/1 home/current")
        try expectWritten("home/current/a.json", "one")
        try fixture.run(
            "mkdir home/releases/2; printf %s two > home/releases/2/a.json; ln -sfn releases/2 home/current")
        try expectWritten("home/current/a.json", "two")
    }

    @Test("Root follows its own links, such as /var/run")
    func linksOfRoot() throws {
        try fixture.make("run", owner: 0, mode: 0o755)
        try fixture.make("var", owner: 0, mode: 0o755)
        try fixture.write("run/a.json", "run", owner: 0)
        try fixture.folder.link("var/run", to: fixture.path("run"))
        try expectWritten("var/run/a.json", "run")
        try fixture.folder.link("var/a.json", to: "../run/../run/a.json")
        #expect(try fixture.add("again", to: "var/a.json").text == "run ours again")
        #expect(try fixture.add("new", to: "var/run/new.json").method == .created)
    }

    @Test("Root uses its own private directory in a sticky directory, such as /tmp")
    func temporary() throws {
        try fixture.make("tmp", owner: 0, mode: 0o1777)
        try fixture.make("tmp/private", owner: 0, mode: 0o700)
        try fixture.write("tmp/private/x.json", "x", owner: 0)
        try expectWritten("tmp/private/x.json", "x")
        #expect(try fixture.add("first", to: "tmp/x.json").method == .created)
        try expectWritten("tmp/x.json", "first")
        // A file of another user is not accepted.
        try fixture.run("echo theirs > tmp/y.json; mkdir tmp/theirs; echo theirs > tmp/theirs/z.json")
        fixture.expectRefused("tmp/y.json")
        fixture.expectRefused("tmp/theirs/z.json")
    }

    @Test("Root uses its own files and directories in a group-writable directory")
    func group() throws {
        try fixture.write("shared/a.json", "roots", owner: 0)
        try expectWritten("shared/a.json", "roots")
        try fixture.make("shared/roots", owner: 0, mode: 0o755)
        try fixture.write("shared/roots/a.json", "roots", owner: 0)
        try expectWritten("shared/roots/a.json", "roots")
    }

    @Test("The option `trustedOwners` extends trust to links and directories of the named users")
    func named() throws {
        try fixture.run("ln -s $PWD/system/a.json home/a.json; printf %s member > shared/b.json")
        var options = ReplaceOptions.durable
        options.trustedOwners = [MultiUserFixture.user]
        let link = DurableFile(fixture.path("home/a.json"))
        #expect(try link.read(limit: 100, trustedOwners: options.trustedOwners).bytes == Array("secret".utf8))
        #expect(try fixture.add("trusted", to: "home/a.json", options).text == "secret trusted")
        // A named owner vouches for the group that may write to the directory.
        options.trustedOwners = [0]
        #expect(try fixture.add("trusted", to: "shared/b.json", options).text == "member trusted")
    }

    @Test("Path checks cost root one status call per directory, and other users none")
    func cost() throws {
        try fixture.make("system/1", owner: 0, mode: 0o755)
        try fixture.write("system/1/a.json", "1", owner: 0)
        let path = fixture.path("system/1/a.json")
        let depth = path.split(separator: "/").count
        let reading: [ScriptedCalls.Call] = [.openWithoutLinks, .status, .read, .status, .close]
        _ = try fixture.read("system/1/a.json")
        #expect(fixture.calls.callsOnFile == reading && fixture.calls.count(of: .statusOfName) == depth)
        let others = ScriptedCalls()
        others.actingUser = MultiUserFixture.other
        _ = try DurableFile(path).read(limit: 100, through: others)
        #expect(others.made == reading)
        // The first replacement searches for leftovers. A process started by another test may briefly inherit the file,
        // which causes a retry: the minimum of several runs is that of an undisturbed one.
        try DurableFile(path).replace(limit: 100, options: .durable) { _ in Array("1".utf8) }
        let (ofRoot, ofOthers) = (try fewestCalls(of: path), try fewestCalls(of: path, as: MultiUserFixture.other))
        #expect(ofRoot - ofOthers == depth, "\(ofRoot) and \(ofOthers) calls")
    }

    private func fewestCalls(of path: String, as user: UInt32? = nil) throws -> Int {
        try (0..<9).map { number in
            let calls = ScriptedCalls()
            calls.actingUser = user
            try DurableFile(path).replace(limit: 100, options: .durable, through: calls) { _ in Array("\(number)".utf8)
            }
            return calls.made.count
        }.min()!
    }
}

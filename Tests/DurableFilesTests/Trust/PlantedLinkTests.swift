import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("Links planted for a process of root", .asAnyUser, .needs(.setpriv))
struct PlantedLinkTests {
    private let fixture: MultiUserFixture

    init() throws { fixture = try MultiUserFixture() }

    struct Attack: CustomTestStringConvertible {
        let name: String
        /// The user's actions, relative to the parent of `home`.
        let script: String
        /// The path that root takes for its file.
        let path: String

        init(_ name: String, _ script: String, _ path: String = "home/a.json") {
            (self.name, self.script, self.path) = (name, script, path)
        }

        var testDescription: String { name }
    }

    static let attacks = [
        Attack("a link to a file of root", "ln -s ../system/a.json home/a.json"),
        Attack("an absolute link to a file of root", "ln -s $PWD/system/a.json home/a.json"),
        Attack("a dangling link", "ln -s ../system/new.json home/a.json"),
        Attack("a link to a directory of root", "ln -s ../system home/conf", "home/conf/a.json"),
        Attack("a link to a directory of root, for a new file", "ln -s ../system home/conf", "home/conf/new.json"),
        Attack("a chain of links", "ln -s b home/a.json; ln -s c home/b; ln -s ../system/a.json home/c"),
        Attack(
            "a link in a subdirectory", "mkdir home/x home/x/y; ln -s ../../../system home/x/y/z",
            "home/x/y/z/a.json"),
        Attack("a link back to the root directory", "ln -s / home/top", "home/top/PWD/system/a.json"),
        Attack("a link followed by ..", "ln -s ../system home/in", "home/in/../system/a.json"),
        Attack("a link in a group's directory", "ln -s ../system/a.json shared/a.json", "shared/a.json"),
        Attack(
            "a link to a directory, in a group's directory", "ln -s ../system shared/conf", "shared/conf/a.json"),
        Attack(
            "a link in /proc of the user's own process", "ln -s /proc/self/root home/top", "home/top/PWD/system/a.json"),
    ]

    @Test("Root neither reads, writes nor creates a file through another user's link", arguments: attacks)
    func links(attack: Attack) throws {
        try fixture.run(attack.script)
        let path = attack.path.replacing("PWD", with: String(fixture.folder.path.dropFirst()))
        #expect([.symbolicLink, .directory].contains(fixture.expectRefused(path)?.kind))
        try fixture.expectIntact()
    }

    @Test("The error names the untrusted link, its owner and what to do")
    func words() throws {
        try fixture.run("ln -s ../system/a.json home/a.json")
        let path = fixture.path("home/a.json")
        let error = #expect(throws: FileError.self) { try fixture.read("home/a.json") }
        #expect(
            error?.description == "\(path): Not trusted: \(path) is a symbolic link of user 4321;"
                + " use the path of its target, or trust user 4321 (trustedOwners)")
        #expect(error?.path == path && error?.untrusted?.path == path && error?.untrusted?.owner == 4_321)
    }

    @Test("Root rejects a group member's file in a group-writable directory")
    func foreignFile() throws {
        try fixture.run("echo mine > shared/a.json; mkdir shared/conf; echo mine > shared/conf/a.json")
        let failure = fixture.expectRefused("shared/a.json")
        #expect(failure?.kind == .sharedDirectory && failure?.owner == 0)
        #expect(failure?.path == fixture.path("shared/"))
        #expect(fixture.expectRefused("shared/conf/a.json")?.kind == .sharedDirectory)
        #expect(try fixture.text("shared/a.json") == "mine\n")
    }

    @Test("Root rejects its own directory where another user may have moved it")
    func movedDirectory() throws {
        try fixture.make("home/roots", owner: 0, mode: 0o755)
        try fixture.write("home/roots/a.json", "roots", owner: 0)
        #expect(fixture.expectRefused("home/roots/a.json")?.kind == .directory)
        try fixture.make("everybodys", owner: 0, mode: 0o777)
        try fixture.make("everybodys/roots", owner: 0, mode: 0o755)
        try fixture.write("everybodys/roots/a.json", "roots", owner: 0)
        #expect(fixture.expectRefused("everybodys/roots/a.json")?.kind == .sharedDirectory)
        // With the sticky bit, nobody else can rename it.
        chmod(fixture.path("everybodys"), 0o1777)
        #expect(try fixture.add("now", to: "everybodys/roots/a.json").text == "roots now")
    }

    @Test("Root rejects a hard link that another user may have created")
    func hardLink() throws {
        // A user can do that if fs.protected_hardlinks is off.
        try #require(link(fixture.path("system/a.json"), fixture.path("home/a.json")) == 0)
        try #require(link(fixture.path("system/a.json"), fixture.path("shared/a.json")) == 0)
        for name in ["home/a.json", "shared/a.json"] {
            #expect(fixture.expectRefused(name)?.kind == .hardLink)
            var options = ReplaceOptions.durable
            options.hardLinks = .keep
            #expect(fixture.expectRefused(name, options)?.kind == .hardLink)
        }
        try fixture.expectIntact()
    }

    @Test("Root creates no directories in another user's directory or behind that user's link")
    func createdFolders() throws {
        try fixture.run("ln -s ../system home/.config")
        var options = ReplaceOptions.durable
        options.createsDirectories = true
        fixture.expectRefused("home/.config/app/a.json", options)
        #expect(
            #expect(throws: FileError.self) { try fixture.add("x", to: "home/new/a.json", options) }?.isUntrusted
                == true)
        try fixture.expectIntact()
    }
}

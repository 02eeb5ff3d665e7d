import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("Leftovers that another user may have planted", .asAnyUser, .needs(.setpriv))
struct ForeignLeftoverTests {
    private let fixture: MultiUserFixture

    init() throws {
        fixture = try MultiUserFixture()
        try fixture.write("home/a.json", "before", owner: MultiUserFixture.user)
    }

    /// Temporary names of replacements.
    static let temporaryNames = [
        "swap-1-2-3-4-5", "displaced-1-2-3", "backup-4-\(fnv("half"))-4-\(fnv("next"))-3",
    ]

    /// Only the form matters here.
    private static func fnv(_ text: String) -> String { String(text.utf8.reduce(7) { $0 &* 31 &+ Int($1) }, radix: 16) }

    @Test("Root ignores and reports another user's file that is named like a leftover", arguments: temporaryNames)
    func planted(temporaryName: String) throws {
        let name = ".a.json.sm-\(temporaryName)"
        try fixture.run("printf %s planted > home/\(name)")
        let replacement = try fixture.add("ours", to: "home/a.json")
        #expect(replacement.text == "before ours" && replacement.leftovers == [fixture.path("home/\(name)")])
        #expect(try fixture.text("home/\(name)") == "planted")
    }

    @Test("Root ignores and reports a leftover that is a hard link to another file of root", arguments: temporaryNames)
    func hardLinks(temporaryName: String) throws {
        let name = "home/.a.json.sm-\(temporaryName)"
        try #require(link(fixture.path("system/a.json"), fixture.path(name)) == 0)
        let replacement = try fixture.add("ours", to: "home/a.json")
        #expect(replacement.text == "before ours" && replacement.leftovers == [fixture.path(name)])
        try fixture.expectIntact()
    }

    @Test("Root ignores a leftover that is a symbolic link", arguments: temporaryNames)
    func links(temporaryName: String) throws {
        try fixture.run("ln -s ../system/a.json 'home/.a.json.sm-\(temporaryName)'")
        #expect(try fixture.add("ours", to: "home/a.json").text == "before ours")
        try fixture.expectIntact()
    }

    @Test("Root merges any user's leftover in a directory that only root may write to")
    func protected() throws {
        try fixture.write("system/.a.json.sm-displaced-1-2-3", "late", owner: MultiUserFixture.user)
        #expect(try fixture.add("ours", to: "system/a.json").text == "secret late ours")
        #expect(try fixture.folder.names().contains("system"))
    }

    @Test("An unprivileged process ignores a leftover that is a hard link to its own file")
    func ownSecret() throws {
        try fixture.write("secret", "private", owner: MultiUserFixture.other, mode: 0o600)
        try fixture.write("shared/a.json", "before", owner: MultiUserFixture.other)
        try #require(link(fixture.path("secret"), fixture.path("shared/.a.json.sm-displaced-1-2-3")) == 0)
        fixture.calls.actingUser = MultiUserFixture.other
        #expect(try fixture.add("ours", to: "shared/a.json").text == "before ours")
    }

    @Test("An unprivileged process does not write in place into a hard link that others may have created")
    func ownSecretInPlace() throws {
        try fixture.write("secret", "private", owner: MultiUserFixture.other, mode: 0o600)
        try #require(link(fixture.path("secret"), fixture.path("shared/a.json")) == 0)
        fixture.calls.actingUser = MultiUserFixture.other
        var options = ReplaceOptions.durable
        options.hardLinks = .keep
        let error = #expect(throws: FileError.self) { try fixture.add("ours", to: "shared/a.json", options) }
        #expect(error?.untrusted?.kind == .hardLink && error?.untrusted?.owner == MultiUserFixture.other)
        #expect(try fixture.text("secret") == "private" && fixture.calls.openDescriptors == [])
        // A new file does not affect the other hard link.
        #expect(try fixture.add("ours", to: "shared/a.json").text == "private ours")
        #expect(try fixture.text("secret") == "private")
    }

    @Test("Root ignores a write marker on a file that other users may write to", .needs(.setfattr))
    func writeMarkers() throws {
        let path = fixture.path("home/a.json")
        func marker(of name: String) throws -> [UInt8]? {
            let marker = WriteMarker("user.test")
            _ = try DurableFile(fixture.path(name)).read(limit: 100, through: Kernel.shared, marker: marker)
            return marker.found
        }
        try fixture.run("setfattr -n user.test -v theirs home/a.json")
        try #require(try marker(of: "home/a.json") == nil, "\(path)")
        let result = try Programs.setfattr.program.run(
            ["-n", "user.test", "-v", "ours", "system/a.json"], in: fixture.folder)
        try #require(result.code == 0)
        #expect(try marker(of: "system/a.json") == Array("ours".utf8))
        chmod(fixture.path("system/a.json"), 0o620)
        #expect(try marker(of: "system/a.json") == nil)
    }

    @Test("Root uses no backup directory behind another user's link", .needs(.setpriv))
    func backupDirectory() throws {
        try fixture.run("mkdir -p home/.local; ln -s ../../system home/.local/state")
        try fixture.write("system2", "x", owner: 0)
        var options = ReplaceOptions.durable
        options.backupDirectory = fixture.path("home/.local/state/durable-files")
        fixture.calls.failures = [.openUnnamed: [EACCES, EACCES], .exchange: [EBUSY]]
        _ = try? fixture.add("ours", to: "home/a.json", options)
        try fixture.expectIntact()
    }
}

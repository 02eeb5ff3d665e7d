import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

/// Every user can create links in a directory that everyone may write to. Only root can create a link for another user.
@Suite("Symbolic links in a sticky directory", .asAnyUser, .needs(.setpriv))
struct StickyDirectoryTests {
    private let fixture: ReplaceFixture
    private let shared: String

    init() throws {
        fixture = try ReplaceFixture()
        shared = fixture.folder.path(of: "shared")
        try fixture.folder.createFolder("shared")
        try fixture.folder.createFolder("outside")
        try fixture.folder.write("outside/a.json", "secret")
        chmod(shared, 0o1777)
    }

    private func plant(_ name: String, to target: String, by user: UInt32) throws {
        try fixture.folder.link(name, to: target)
        try #require(lchown(fixture.folder.path(of: name), user, user) == 0)
    }

    private func expectRefused(_ path: String) throws {
        let failure = try #require(throws: FileError.self) { try fixture.add("after", path: path) }
        guard case .untrusted(let step) = failure.code else { throw failure }
        #expect(step.kind == .symbolicLink && step.owner == 4_321)
        #expect(
            failure.description
                == "\(path): Not trusted: \(step.path) is a symbolic link of user 4321;"
                + " use the path of its target, or trust user 4321 (trustedOwners)")
        #expect(try fixture.folder.read("outside/a.json") == "secret" && fixture.calls.openDescriptors == [])
    }

    @Test(
        "Another user's link in a sticky directory is not followed",
        arguments: ["link", "folder/a.json", "mine/a.json"])
    func refused(name: String) throws {
        try plant("shared/link", to: "../outside/a.json", by: 4_321)
        try plant("shared/folder", to: "../outside", by: 4_321)
        try plant("shared/mine", to: "folder", by: getuid())
        try expectRefused("\(shared)/\(name)")
    }

    @Test("Root follows its own link in a sticky directory")
    func trustedByRoot() throws {
        try plant("shared/mine", to: "../outside", by: getuid())
        #expect(try fixture.add("1", path: "\(shared)/mine/a.json").method == .exchanged)
        #expect(try fixture.folder.read("outside/a.json") == "secret 1")
    }

    @Test("Unprivileged users follow links of root, of the directory's owner and their own")
    func trusted() throws {
        fixture.calls.actingUser = 1_234
        try plant("shared/roots", to: "../outside", by: 0)
        #expect(try fixture.add("0", path: "\(shared)/roots/a.json").method == .exchanged)
        try plant("shared/mine", to: "../outside", by: 1_234)
        #expect(try fixture.add("1", path: "\(shared)/mine/a.json").method == .exchanged)
        lchown(shared, 4_321, 4_321)
        try plant("shared/owner", to: "../outside/a.json", by: 4_321)
        #expect(try fixture.add("2", path: "\(shared)/owner").method == .exchanged)
        try plant("private", to: "outside/a.json", by: 9_999)
        #expect(try fixture.add("3", path: fixture.folder.path(of: "private")).method == .exchanged)
        #expect(try fixture.folder.read("outside/a.json") == "secret 0 1 2 3")
    }

    @Test("A link that takes the place of the directory at any call diverts no write")
    func swapped() throws {
        let count = try countCalls()
        for moment in 1...count {
            let fixture = try ReplaceFixture()
            try fixture.folder.createFolder("outside")
            try fixture.folder.write("outside/a.json", "secret")
            try fixture.folder.createFolder("conf")
            try fixture.folder.write("conf/a.json", "before")
            chmod(fixture.folder.path, 0o1777)
            var made = 0
            fixture.calls.before = { [fixture] _, _ in
                made += 1
                guard made == moment else { return }
                #expect(throws: Never.self) {
                    try fixture.folder.rename("conf", to: "moved")
                    try fixture.folder.link("conf", to: "outside")
                    try #require(lchown(fixture.folder.path(of: "conf"), 4_321, 4_321) == 0)
                }
            }
            let result = Result { try fixture.add("ours", path: fixture.folder.path(of: "conf/a.json")) }
            if case .failure(let error) = result { #expect((error as? FileError)?.isUntrusted == true) }
            #expect(try fixture.folder.read("outside/a.json") == "secret")
            #expect(try ["before", "before ours"].contains(fixture.folder.read("moved/a.json")))
            #expect(fixture.calls.openDescriptors == [], "at call \(moment)")
        }
    }

    private func countCalls() throws -> Int {
        let fixture = try ReplaceFixture()
        try fixture.add("ours")
        return fixture.calls.made.count - 1
    }

    @Test("Leftovers of other users in a sticky directory are ignored")
    func leftovers() throws {
        let path = "\(shared)/a.json"
        try fixture.folder.write("shared/a.json", "before")
        let planted = "shared/.a.json.sm-swap-1-2-3-4-5"
        try fixture.folder.write(planted, "theirs")
        try #require(lchown(fixture.folder.path(of: planted), 4_321, 4_321) == 0)
        let replacement = try fixture.add("ours", path: path)
        #expect(replacement.text == "before ours" && replacement.leftovers == [fixture.folder.path(of: planted)])

        // A hard link to an own file that other users must not be able to read.
        try fixture.folder.remove(planted)
        try #require(link(fixture.folder.path(of: "outside/a.json"), fixture.folder.path(of: planted)) == 0)
        #expect(try fixture.add("more", path: path).text == "before ours more")
        #expect(try fixture.folder.read("outside/a.json") == "secret")
    }
}

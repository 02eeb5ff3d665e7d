import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

/// Everybody can put links into folders that everybody may write to. These tests need to be root to give a link to
/// somebody else.
@Suite("Links and folders that somebody has planted", .needs(.setpriv), .enabled(if: getuid() == 0, "only root can"))
struct PlantedTests {
    private let bench: Workbench
    private let shared: String

    init() throws {
        bench = try Workbench()
        shared = bench.folder.path(of: "shared")
        try bench.folder.createFolder("shared")
        try bench.folder.createFolder("outside")
        try bench.folder.write("outside/a.json", "secret")
        chmod(shared, 0o1777)
    }

    private func plant(_ name: String, to target: String, by user: UInt32) throws {
        try bench.folder.link(name, to: target)
        try #require(lchown(bench.folder.path(of: name), user, user) == 0)
    }

    private func expectRefused(_ path: String) throws {
        let refusal = try #require(throws: FileError.self) { try bench.add("after", path: path) }
        #expect(refusal.code == .untrustedLink)
        #expect(
            refusal.description
                == "\(path): A symbolic link of another user, in a folder that everybody may write to;"
                + " name the file that it leads to, or let the owner of the folder make the link")
        #expect(try bench.folder.read("outside/a.json") == "secret" && bench.calls.openDescriptors == [])
    }

    @Test("are not followed", arguments: ["link", "folder/a.json", "mine/a.json"])
    func refused(name: String) throws {
        try plant("shared/link", to: "../outside/a.json", by: 4_321)
        try plant("shared/folder", to: "../outside", by: 4_321)
        try plant("shared/mine", to: "folder", by: getuid())
        try expectRefused("\(shared)/\(name)")
    }

    @Test("are followed when the owner of the folder or this user made them, and in folders of one user")
    func trusted() throws {
        try plant("shared/mine", to: "../outside", by: getuid())
        #expect(try bench.add("1", path: "\(shared)/mine/a.json").method == .exchanged)
        lchown(shared, 4_321, 4_321)
        try plant("shared/owner", to: "../outside/a.json", by: 4_321)
        #expect(try bench.add("2", path: "\(shared)/owner").method == .exchanged)
        try plant("private", to: "outside/a.json", by: 9_999)
        #expect(try bench.add("3", path: bench.folder.path(of: "private")).method == .exchanged)
        #expect(try bench.folder.read("outside/a.json") == "secret 1 2 3")
    }

    @Test("write nothing outside when they take the place of the folder, at whatever moment")
    func swapped() throws {
        let count = try countCalls()
        for moment in 1...count {
            let bench = try Workbench()
            try bench.folder.createFolder("outside")
            try bench.folder.write("outside/a.json", "secret")
            try bench.folder.createFolder("conf")
            try bench.folder.write("conf/a.json", "before")
            chmod(bench.folder.path, 0o777)
            var made = 0
            bench.calls.before = { [bench] _, _ in
                made += 1
                guard made == moment else { return }
                #expect(throws: Never.self) {
                    try bench.folder.rename("conf", to: "moved")
                    try bench.folder.link("conf", to: "outside")
                    try #require(lchown(bench.folder.path(of: "conf"), 4_321, 4_321) == 0)
                }
            }
            let result = Result { try bench.add("ours", path: bench.folder.path(of: "conf/a.json")) }
            if case .failure(let error) = result { #expect((error as? FileError)?.code == .untrustedLink) }
            #expect(try bench.folder.read("outside/a.json") == "secret")
            #expect(try ["before", "before ours"].contains(bench.folder.read("moved/a.json")))
            #expect(bench.calls.openDescriptors == [], "at call \(moment)")
        }
    }

    private func countCalls() throws -> Int {
        let bench = try Workbench()
        try bench.add("ours")
        return bench.calls.made.count - 1
    }

    @Test("left-overs of others are not taken for ours in a folder that everybody may write to")
    func leftOver() throws {
        let path = "\(shared)/a.json"
        try bench.folder.write("shared/a.json", "before")
        let planted = "shared/.a.json.sm-swap-1-2-3-4-5"
        try bench.folder.write(planted, "theirs")
        try #require(lchown(bench.folder.path(of: planted), 4_321, 4_321) == 0)
        let replacement = try bench.add("ours", path: path)
        #expect(replacement.text == "before ours" && replacement.leftOvers == [bench.folder.path(of: planted)])

        // A second name of a file of ours, which others must not get to see.
        try bench.folder.remove(planted)
        try #require(link(bench.folder.path(of: "outside/a.json"), bench.folder.path(of: planted)) == 0)
        #expect(try bench.add("more", path: path).text == "before ours more")
        #expect(try bench.folder.read("outside/a.json") == "secret")
    }
}

import DurableFiles
import FileScripts
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Replacing a file behind symbolic links")
struct SymbolicLinkTests {
    private let fixture: ReplaceFixture

    init() throws { fixture = try ReplaceFixture() }

    @Test(
        "A replacement keeps the symbolic links and replaces their target",
        arguments: [
            ["link": "a.json"], ["link": "./sub/../a.json"], ["link": "second", "second": "third", "third": "a.json"],
            ["link": "sub/second", "sub/second": "../a.json"], ["link": "folder/a.json", "folder": "."],
            ["link": "/a.json"],
        ])
    func leads(links: [String: String]) throws {
        try fixture.folder.createFolder("sub")
        for (name, target) in links {
            try fixture.folder.link(name, to: target.hasPrefix("/") ? fixture.folder.path + target : target)
        }
        let replacement = try fixture.add("after", path: fixture.folder.path(of: "link"))
        #expect(try replacement.method == .exchanged && fixture.text() == "before after")
        for (name, target) in links {
            let there = try FileManager.default.destinationOfSymbolicLink(atPath: fixture.folder.path(of: name))
            #expect(there.hasSuffix(target))
        }
        #expect(try Set(fixture.names()) == Set(links.keys.filter { !$0.contains("/") } + ["a.json", "sub"]))
    }

    @Test("A replacement through a dangling link creates the target", arguments: ["new.json", "sub/new.json"])
    func dangling(target: String) throws {
        try fixture.folder.createFolder("sub")
        try fixture.folder.link("link", to: target)
        #expect(try fixture.add("first", path: fixture.folder.path(of: "link")).method == .created)
        #expect(try fixture.folder.read(target) == "first" && fixture.folder.read("link") == "first")
    }

    @Test("A circular link, a link to a directory and one into a missing directory are errors")
    func refused() throws {
        try fixture.folder.link("circle", to: "circle")
        try fixture.folder.link("folder", to: ".")
        try fixture.folder.link("nowhere", to: "missing/a.json")
        func error(_ name: String) throws -> FileError? {
            #expect(throws: FileError.self) { try fixture.add("x", path: fixture.folder.path(of: name)) }
        }
        #expect(try error("circle")?.code == .loop)
        #expect(try error("folder")?.code == .directory)
        #expect(try error("nowhere")?.code == .missing)
        #expect(fixture.calls.openDescriptors == [])
    }

    @Test("A replacement follows a link that changes meanwhile to its new target", arguments: [1, 2])
    func swapped(moment: Int) throws {
        try fixture.folder.createFolder("one")
        try fixture.folder.createFolder("two")
        try fixture.folder.write("one/a.json", "one")
        try fixture.folder.write("two/a.json", "two")
        try fixture.folder.link("data", to: "one")
        try fixture.folder.link("next", to: "two")
        fixture.once(before: moment == 1 ? .exchange : .statusOfPath, moment == 1 ? 1 : 2) {
            try fixture.folder.rename("next", to: "data")
        }
        let replacement = try fixture.add("after", path: fixture.folder.path(of: "data/a.json"))
        #expect(replacement.text == "two after")
        #expect(try fixture.folder.read("two/a.json") == "two after")
        #expect(try fixture.folder.read("data/a.json") == "two after")
    }

    /// Uses the real calls: in optimized builds, their specialized code differs from that for scripted calls.
    @Test("Repeated replacements follow absolute and relative links")
    func often() throws {
        try fixture.folder.link("absolute", to: fixture.file.path)
        try fixture.folder.link("relative", to: fixture.name)
        for number in 0..<100 {
            let path = fixture.folder.path(of: number.isMultiple(of: 2) ? "absolute" : "relative")
            let replacement = try DurableFile(path).replace(limit: 1_000, options: .fast) { _ in Array("\(number)".utf8)
            }
            #expect(replacement.text == "\(number)")
        }
        #expect(try fixture.text() == "99" && fixture.names() == [fixture.name, "absolute", "relative"])
    }

    @Test("A link in /proc to an open file is not replaced", arguments: [true, false])
    func openFile(hasName: Bool) throws {
        let descriptor = open(fixture.file.path, O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        if !hasName { try fixture.folder.remove(fixture.name) }
        let path = "/proc/self/fd/\(descriptor)"
        #expect(try DurableFile(path).read(limit: 1_000).bytes == Array("before".utf8))
        let error = #expect(throws: FileError.self) { try fixture.add("ours", path: path) }
        #expect(
            error?.description
                == "\(path): A link in /proc to an open file cannot be replaced; use the path of the file")
        #expect(try fixture.names() == (hasName ? [fixture.name] : []))
    }

    @Test("A path that keeps leading to a different directory is an error")
    func unstable() throws {
        try fixture.folder.createFolder("one")
        try fixture.folder.createFolder("two")
        for name in ["one", "two"] { try fixture.folder.write("\(name)/a.json", name) }
        try fixture.folder.link("data", to: "one")
        fixture.calls.before = { [fixture] call, number in
            guard call == .statusOfPath else { return }
            #expect(throws: Never.self) {
                try fixture.folder.link("next", to: number.isMultiple(of: 2) ? "one" : "two")
                try fixture.folder.rename("next", to: "data")
            }
        }
        let path = fixture.folder.path(of: "data/a.json")
        let error = #expect(throws: FileError.self) { try fixture.add("x", path: path) }
        #expect(error?.description == "\(path): The path keeps leading to a different directory")
    }
}

@Suite("Replacing a file with several names")
struct HardLinkTests {
    private let fixture: ReplaceFixture

    init() throws {
        fixture = try ReplaceFixture()
        try #require(link(fixture.file.path, fixture.folder.path(of: "other")) == 0)
    }

    @Test("A replacement unlinks the file from its other names and reports their number")
    func unlinked() throws {
        let replacement = try fixture.add("after")
        #expect(try replacement.linksToOldVersion == 1 && fixture.folder.read("other") == "before")
        #expect(try fixture.text() == "before after")
        try fixture.expectClean(["a.json", "other"])
    }

    @Test(
        "A replacement that keeps hard links changes the contents under all names",
        arguments: ["before and after", "b"])
    func kept(text: String) throws {
        var options = ReplaceOptions.durable
        options.hardLinks = .keep
        let inode = try fixture.inode()
        let replacement = try fixture.file.replace(limit: 100, options: options, through: fixture.calls) { _ in
            Array(text.utf8)
        }
        #expect(try fixture.text() == text && fixture.folder.read("other") == text && fixture.inode() == inode)
        #expect(replacement.method == .overwritten && replacement.linksToOldVersion == 0)
        #expect(try replacement.durability == .complete && replacement.contents?.identity == fixture.file.identity())
        try fixture.expectClean(["a.json", "other"])
    }
}

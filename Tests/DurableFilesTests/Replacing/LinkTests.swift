import DurableFiles
import FileScripts
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Replacing a file behind symbolic links")
struct SymbolicLinkTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    @Test(
        "leaves the links as they are and replaces what they lead to",
        arguments: [
            ["link": "a.json"], ["link": "./sub/../a.json"], ["link": "second", "second": "third", "third": "a.json"],
            ["link": "sub/second", "sub/second": "../a.json"], ["link": "folder/a.json", "folder": "."],
            ["link": "/a.json"],
        ])
    func leads(links: [String: String]) throws {
        try bench.folder.createFolder("sub")
        for (name, target) in links {
            try bench.folder.link(name, to: target.hasPrefix("/") ? bench.folder.path + target : target)
        }
        let replacement = try bench.add("after", path: bench.folder.path(of: "link"))
        #expect(try replacement.method == .exchanged && bench.text() == "before after")
        for (name, target) in links {
            let there = try FileManager.default.destinationOfSymbolicLink(atPath: bench.folder.path(of: name))
            #expect(there.hasSuffix(target))
        }
        #expect(try Set(bench.names()) == Set(links.keys.filter { !$0.contains("/") } + ["a.json", "sub"]))
    }

    @Test("creates what the last one leads to", arguments: ["new.json", "sub/new.json"])
    func dangling(target: String) throws {
        try bench.folder.createFolder("sub")
        try bench.folder.link("link", to: target)
        #expect(try bench.add("first", path: bench.folder.path(of: "link")).method == .created)
        #expect(try bench.folder.read(target) == "first" && bench.folder.read("link") == "first")
    }

    @Test("says which of them lead nowhere")
    func refused() throws {
        try bench.folder.link("circle", to: "circle")
        try bench.folder.link("folder", to: ".")
        try bench.folder.link("nowhere", to: "missing/a.json")
        func error(_ name: String) throws -> FileError? {
            #expect(throws: FileError.self) { try bench.add("x", path: bench.folder.path(of: name)) }
        }
        #expect(try error("circle")?.code == .loop)
        #expect(try error("folder")?.code == .directory)
        #expect(try error("nowhere")?.code == .missing)
        #expect(bench.calls.openDescriptors == [])
    }

    @Test("goes where the link leads by then, when it is changed meanwhile", arguments: [1, 2])
    func swapped(moment: Int) throws {
        try bench.folder.createFolder("one")
        try bench.folder.createFolder("two")
        try bench.folder.write("one/a.json", "one")
        try bench.folder.write("two/a.json", "two")
        try bench.folder.link("data", to: "one")
        try bench.folder.link("next", to: "two")
        bench.once(before: moment == 1 ? .exchange : .lookAtPath, moment == 1 ? 1 : 2) {
            try bench.folder.rename("next", to: "data")
        }
        let replacement = try bench.add("after", path: bench.folder.path(of: "data/a.json"))
        #expect(replacement.text == "two after")
        #expect(try bench.folder.read("two/a.json") == "two after")
        #expect(try bench.folder.read("data/a.json") == "two after")
    }

    @Test("gives up on a path that leads elsewhere again and again")
    func restless() throws {
        try bench.folder.createFolder("one")
        try bench.folder.createFolder("two")
        for name in ["one", "two"] { try bench.folder.write("\(name)/a.json", name) }
        try bench.folder.link("data", to: "one")
        bench.calls.before = { [bench] call, number in
            guard call == .lookAtPath else { return }
            #expect(throws: Never.self) {
                try bench.folder.link("next", to: number.isMultiple(of: 2) ? "one" : "two")
                try bench.folder.rename("next", to: "data")
            }
        }
        let path = bench.folder.path(of: "data/a.json")
        let error = #expect(throws: FileError.self) { try bench.add("x", path: path) }
        #expect(error?.description == "\(path): The path leads to another folder again and again")
    }
}

@Suite("Replacing a file with several names")
struct HardLinkTests {
    private let bench: Workbench

    init() throws {
        bench = try Workbench()
        try #require(link(bench.file.path, bench.folder.path(of: "other")) == 0)
    }

    @Test("parts it from the others, and says from how many")
    func parted() throws {
        let replacement = try bench.add("after")
        #expect(try replacement.partedLinks == 1 && bench.folder.read("other") == "before")
        #expect(try bench.text() == "before after")
        try bench.expectClean(["a.json", "other"])
    }

    @Test("keeps them together where that is wanted", arguments: ["before and after", "b"])
    func kept(text: String) throws {
        var options = ReplaceOptions.durable
        options.hardLinks = .keep
        let inode = try bench.inode()
        let replacement = try bench.file.replace(limit: 100, options: options, through: bench.calls) { _ in
            Array(text.utf8)
        }
        #expect(try bench.text() == text && bench.folder.read("other") == text && bench.inode() == inode)
        #expect(replacement.method == .overwritten && replacement.partedLinks == 0)
        #expect(try replacement.durability == .complete && replacement.contents?.identity == bench.file.identity())
        try bench.expectClean(["a.json", "other"])
    }
}

import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("Replacing a file")
struct ReplacingTests {
    @Test("A replacement puts a new file in place and synchronizes it")
    func replaced() throws {
        let fixture = try ReplaceFixture()
        let old = try fixture.inode()
        let replacement = try fixture.add("after")
        #expect(try fixture.text() == "before after" && replacement.text == "before after")
        #expect(replacement.method == .exchanged && replacement.durability == .complete)
        #expect(replacement.lease == .held && replacement.lock == .held && replacement.tries == 1)
        #expect(replacement.leftovers == [] && replacement.linksToOldVersion == 0 && replacement.lostAttributes == [])
        #expect(try replacement.contents?.identity == fixture.file.identity())
        #expect(try fixture.inode() != old)
        try fixture.expectClean()
    }

    @Test("A missing file is created with access for its owner only")
    func created() throws {
        let fixture = try ReplaceFixture(nil)
        let replacement = try fixture.add("first")
        #expect(replacement.method == .created && replacement.lease == .noFile && replacement.durability == .complete)
        #expect(try fixture.text() == "first" && fixture.file.read(limit: 100).mode == 0o600)
        try fixture.expectClean()
    }

    @Test(
        "A replacement keeps the permissions of the file",
        arguments: [0o600, 0o644, 0o4755, 0o2664, 0o1606] as [UInt32])
    func permissions(mode: UInt32) throws {
        let fixture = try ReplaceFixture()
        chmod(fixture.file.path, mode)
        try fixture.add("after")
        #expect(try fixture.file.read(limit: 100).mode == mode)
    }

    @Test("Nothing is written if the closure returns nil")
    func unwanted() throws {
        let fixture = try ReplaceFixture()
        let before = try fixture.file.identity()
        let replacement = try fixture.file.replace(limit: 100) { found in
            #expect(found.contents?.bytes == Array("before".utf8) && found.displaced == [] && found.written == nil)
            return nil
        }
        #expect(replacement.method == .unchanged && replacement.text == "before" && replacement.durability == .none)
        #expect(try fixture.file.identity() == before)
        try fixture.expectClean()
    }

    @Test("A replacement by the same bytes synchronizes the file without writing it")
    func same() throws {
        let fixture = try ReplaceFixture()
        let before = try fixture.file.identity()
        let replacement = try fixture.add("before")
        #expect(replacement.method == .unchanged && replacement.durability == .complete)
        #expect(try fixture.file.identity() == before)
        #expect(fixture.calls.count(of: .synchronizeData) == 1 && fixture.calls.count(of: .synchronize) == 1)
        #expect(fixture.calls.count(of: .write) == 0)
        try fixture.expectClean()
    }

    @Test("A replacement without durability makes no sync call")
    func fast() throws {
        let fixture = try ReplaceFixture()
        let replacement = try fixture.add("after", .fast)
        #expect(replacement.method == .exchanged && replacement.durability == .none)
        #expect(fixture.calls.count(of: .synchronizeData) == 0 && fixture.calls.count(of: .synchronize) == 0)
        #expect(try fixture.text() == "before after")
    }

    @Test("A closure that throws leaves the file unchanged")
    func throwing() throws {
        struct NotNow: Error {}
        let fixture = try ReplaceFixture()
        let before = try fixture.file.identity()
        #expect(throws: NotNow.self) {
            try fixture.file.replace(limit: 100, options: .durable, through: fixture.calls) { _ in throw NotNow() }
        }
        #expect(try fixture.file.identity() == before)
        try fixture.expectClean()
    }

    @Test("A replacement writes contents of any size", arguments: [0, 1, 4_096, 5_000_000])
    func sizes(count: Int) throws {
        let fixture = try ReplaceFixture()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try fixture.file.replace(limit: 100) { _ in bytes }
        #expect(try fixture.folder.readBytes(fixture.name) == bytes)
        try fixture.file.replace(limit: count) { _ in [1] }
        #expect(try fixture.folder.readBytes(fixture.name) == [1])
        try fixture.expectClean()
    }

    @Test("Files with names of the maximum length are replaced")
    func longNames() throws {
        for last in ["x", "y"] {
            let fixture = try ReplaceFixture(name: String(repeating: "ü", count: 127) + last)
            fixture.calls.failures = [.openUnnamed: [EOPNOTSUPP]]
            #expect(try fixture.add("after").method == .exchanged)
            #expect(try fixture.text() == "before after")
            try fixture.expectClean()
        }
    }

    @Test("A replacement succeeds if an unnamed file cannot be given a name", arguments: ["before", nil])
    func withoutProc(text: String?) throws {
        let fixture = try ReplaceFixture(text)
        fixture.calls.failures = [.name: [ENOENT, ENOENT]]
        #expect(try fixture.add("after").method == (text == nil ? .created : .exchanged))
        #expect(fixture.calls.failures[.name] == [ENOENT], "naming is tried once")
        try fixture.expectClean()
    }

    @Test("A relative path resolves against the working directory")
    func relative() throws {
        let fixture = try ReplaceFixture()
        let result = try Program.built("ReplaceProbe").run(["recover", fixture.name], in: fixture.folder)
        #expect(result == Program.Result(code: 0, output: "0\n"))
    }
}

@Suite("Replacing a file with expected contents")
struct ExpectingTests {
    /// Merges by joining the words of both sides.
    private func merge(base: [UInt8]?, ours: [UInt8], theirs: [UInt8]) -> [UInt8] {
        var words = WordList(theirs)
        words.add(WordList(ours).list)
        return words.bytes
    }

    private func replace(_ fixture: ReplaceFixture, expecting known: String?, with text: String) throws -> Replacement {
        try fixture.file.replace(
            expecting: known.map { Array($0.utf8) }, with: Array(text.utf8), limit: 100, merging: merge)
    }

    @Test("A file with the expected contents is replaced without a merge")
    func expected() throws {
        let fixture = try ReplaceFixture()
        let replacement = try fixture.file.replace(
            expecting: Array("before".utf8), with: Array("after".utf8), limit: 100
        ) { _, _, _ in
            Issue.record("unexpected merge")
            return []
        }
        #expect(try replacement.method == .exchanged && fixture.text() == "after")
    }

    @Test("Unexpected contents are merged, also if no file was expected")
    func merged() throws {
        let fixture = try ReplaceFixture("before theirs")
        #expect(try replace(fixture, expecting: "before", with: "before ours").text == "before theirs ours")
        #expect(try replace(fixture, expecting: nil, with: "new").text == "before theirs ours new")
        #expect(try fixture.text() == "before theirs ours new")
    }

    @Test("A missing file is created again, and the same new contents are left alone")
    func goneOrThere() throws {
        let fixture = try ReplaceFixture(nil)
        #expect(try replace(fixture, expecting: "before", with: "after").method == .created)
        #expect(try replace(fixture, expecting: "before", with: "after").method == .unchanged)
        #expect(try fixture.text() == "after")
        try fixture.expectClean()
    }
}

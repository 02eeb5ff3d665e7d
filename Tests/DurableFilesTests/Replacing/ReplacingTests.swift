import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("Replacing a file")
struct ReplacingTests {
    @Test("puts a new file in its place, which is on the disk when it returns, and says so")
    func replaced() throws {
        let bench = try Workbench()
        let old = try bench.inode()
        let replacement = try bench.add("after")
        #expect(try bench.text() == "before after" && replacement.text == "before after")
        #expect(replacement.method == .exchanged && replacement.durability == .complete)
        #expect(replacement.lease == .held && replacement.lock == .held && replacement.tries == 1)
        #expect(replacement.leftOvers == [] && replacement.partedLinks == 0 && replacement.lostAttributes == [])
        #expect(try replacement.contents?.identity == bench.file.identity())
        #expect(try bench.inode() != old)
        try bench.expectClean()
    }

    @Test("creates one that is missing, open to its owner only")
    func created() throws {
        let bench = try Workbench(nil)
        let replacement = try bench.add("first")
        #expect(replacement.method == .created && replacement.lease == .noFile && replacement.durability == .complete)
        #expect(try bench.text() == "first" && bench.file.read(limit: 100).mode == 0o600)
        try bench.expectClean()
    }

    @Test("keeps whatever permissions it had", arguments: [0o600, 0o644, 0o4755, 0o2664, 0o1606] as [UInt32])
    func permissions(mode: UInt32) throws {
        let bench = try Workbench()
        chmod(bench.file.path, mode)
        try bench.add("after")
        #expect(try bench.file.read(limit: 100).mode == mode)
    }

    @Test("asks for the bytes with what is there, and writes none where nil comes")
    func unwanted() throws {
        let bench = try Workbench()
        let before = try bench.file.identity()
        let replacement = try bench.file.replace(limit: 100) { found in
            #expect(found.contents?.bytes == Array("before".utf8) && found.displaced == [] && found.confirmed == nil)
            return nil
        }
        #expect(replacement.method == .unchanged && replacement.text == "before" && replacement.durability == .none)
        #expect(try bench.file.identity() == before)
        try bench.expectClean()
    }

    @Test("by the same bytes leaves the file alone, but waits until the disk has them")
    func same() throws {
        let bench = try Workbench()
        let before = try bench.file.identity()
        let replacement = try bench.add("before")
        #expect(replacement.method == .unchanged && replacement.durability == .complete)
        #expect(try bench.file.identity() == before)
        #expect(bench.calls.count(of: .synchroniseData) == 1 && bench.calls.count(of: .synchronise) == 1)
        #expect(bench.calls.count(of: .write) == 0)
        try bench.expectClean()
    }

    @Test("without waiting for the disk makes no call that does")
    func fast() throws {
        let bench = try Workbench()
        let replacement = try bench.add("after", .fast)
        #expect(replacement.method == .exchanged && replacement.durability == .none)
        #expect(bench.calls.count(of: .synchroniseData) == 0 && bench.calls.count(of: .synchronise) == 0)
        #expect(try bench.text() == "before after")
    }

    @Test("leaves everything as it was when the caller throws")
    func throwing() throws {
        struct NotNow: Error {}
        let bench = try Workbench()
        let before = try bench.file.identity()
        #expect(throws: NotNow.self) {
            try bench.file.replace(limit: 100, options: .durable, through: bench.calls) { _ in throw NotNow() }
        }
        #expect(try bench.file.identity() == before)
        try bench.expectClean()
    }

    @Test("writes as many bytes as there are", arguments: [0, 1, 4_096, 5_000_000])
    func sizes(count: Int) throws {
        let bench = try Workbench()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try bench.file.replace(limit: 100) { _ in bytes }
        #expect(try bench.folder.readBytes(bench.name) == bytes)
        try bench.file.replace(limit: count) { _ in [1] }
        #expect(try bench.folder.readBytes(bench.name) == [1])
        try bench.expectClean()
    }

    @Test("works for the longest names there are, and tells those apart that begin alike")
    func longNames() throws {
        for last in ["x", "y"] {
            let bench = try Workbench(name: String(repeating: "ü", count: 127) + last)
            bench.calls.failures = [.openUnnamed: [EOPNOTSUPP]]
            #expect(try bench.add("after").method == .exchanged)
            #expect(try bench.text() == "before after")
            try bench.expectClean()
        }
    }

    @Test("works where a file without a name cannot be given one", arguments: ["before", nil])
    func withoutProc(text: String?) throws {
        let bench = try Workbench(text)
        bench.calls.failures = [.name: [ENOENT, ENOENT]]
        #expect(try bench.add("after").method == (text == nil ? .created : .exchanged))
        #expect(bench.calls.failures[.name] == [ENOENT], "it is tried once")
        try bench.expectClean()
    }

    @Test("follows the working directory, as it is at that moment")
    func relative() throws {
        let bench = try Workbench()
        let result = try Program.built("ReplaceProbe").run(["recover", bench.name], in: bench.folder)
        #expect(result == Program.Result(code: 0, output: "0\n"))
    }
}

@Suite("Replacing a file that is not what was expected")
struct ExpectingTests {
    /// All words of both.
    private func merge(base: [UInt8]?, ours: [UInt8], theirs: [UInt8]) -> [UInt8] {
        var words = Words(theirs)
        words.add(Words(ours).list)
        return words.bytes
    }

    private func replace(_ bench: Workbench, expecting known: String?, with text: String) throws -> Replacement {
        try bench.file.replace(
            expecting: known.map { Array($0.utf8) }, with: Array(text.utf8), limit: 100, merging: merge)
    }

    @Test("does not merge what is as expected")
    func expected() throws {
        let bench = try Workbench()
        let replacement = try bench.file.replace(
            expecting: Array("before".utf8), with: Array("after".utf8), limit: 100
        ) { _, _, _ in
            Issue.record("there is nothing to merge")
            return []
        }
        #expect(try replacement.method == .exchanged && bench.text() == "after")
    }

    @Test("merges what others made of it, and what is there though nothing was expected")
    func merged() throws {
        let bench = try Workbench("before theirs")
        #expect(try replace(bench, expecting: "before", with: "before ours").text == "before theirs ours")
        #expect(try replace(bench, expecting: nil, with: "new").text == "before theirs ours new")
        #expect(try bench.text() == "before theirs ours new")
    }

    @Test("creates it again when it is gone, and leaves alone what is there already")
    func goneOrThere() throws {
        let bench = try Workbench(nil)
        #expect(try replace(bench, expecting: "before", with: "after").method == .created)
        #expect(try replace(bench, expecting: "before", with: "after").method == .unchanged)
        #expect(try bench.text() == "after")
        try bench.expectClean()
    }
}

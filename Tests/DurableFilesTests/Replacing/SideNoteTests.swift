import DurableFiles
import Glibc
import TestSupport
import Testing

@Suite("A note that lies with a version of a file")
struct SideNoteTests {
    private let bench: Workbench
    private let name = "user.test"

    init() throws { bench = try Workbench() }

    /// Replaces the file, with a note; the one that was found.
    @discardableResult
    private func replace(_ text: String, note: String?, _ options: ReplaceOptions = .durable) throws -> String? {
        let side = SideNote(name)
        try bench.file.replace(limit: 1_000, options: options, noting: side) { _ in
            side.next = note.map { Array($0.utf8) }
            return Array(text.utf8)
        }
        return side.found.map { String(decoding: $0, as: UTF8.self) }
    }

    private func read() throws -> String? {
        let side = SideNote(name)
        _ = try bench.file.read(limit: 1_000, noting: side)
        return side.found.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("is found by the next replacement, and by who reads") func found() throws {
        #expect(try replace("one", note: "first") == nil)
        #expect(try read() == "first")
        #expect(try replace("two", note: "second") == "first")
        #expect(try read() == "second")
        #expect(try bench.names() == ["a.json"])
    }

    @Test("lies with a file that is created, and with one that is written in place") func others() throws {
        try bench.folder.remove("a.json")
        #expect(try replace("one", note: "first") == nil)
        #expect(try read() == "first")
        #expect(link(bench.folder.path(of: "a.json"), bench.folder.path(of: "b.json")) == 0)
        var options = ReplaceOptions.durable
        options.hardLinks = .keep
        #expect(try replace("two", note: "second", options) == "first")
        #expect(try read() == "second")
    }

    @Test("is gone when another file takes the place") func gone() throws {
        try replace("one", note: "first")
        try bench.renameOver("theirs")
        #expect(try read() == nil)
        #expect(try replace("two", note: nil) == nil)
        #expect(try read() == nil)
    }

    @Test("is no error where the file system has none") func refused() throws {
        try replace("one", note: String(repeating: "x", count: 100_000))
        #expect(try bench.text() == "one" && read() == nil)
    }
}

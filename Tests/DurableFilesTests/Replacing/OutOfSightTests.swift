import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

/// Another program renames a file over a version of ours that is taken back the moment after. For as long as its file is
/// out of sight, its own next edit begins without it.
@Suite("A file that is renamed over a version that is taken back")
final class OutOfSightTests {
    private let folder: TemporaryFolder
    private let calls = ScriptedCalls()
    /// Whether what was renamed last was in its place, call by call, until ours was made with it.
    private var sights: [Bool] = []

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("notes", Notes(["start": "1"]).bytes)
    }

    @Test("is never out of sight when it was there before the taking back") func before() throws {
        calls.before = { [unowned self] call, number in
            look(before: call)
            if call == .exchange && number == 1 { edit("first") }
        }
        calls.after = { [unowned self] call, number in
            if call == .exchange && number == 1 { edit("second", madeOf: ["start", "first"]) }
        }
        try replace()
        #expect(sights.count > 5 && !sights.contains(false))
        #expect(try keys() == ["first", "ours", "second", "start"])
    }

    @Test("is back at once when it came in the moment of the taking back") func during() throws {
        calls.before = { [unowned self] call, number in
            look(before: call)
            if call == .exchange && number == 1 { edit("first") }
            if call == .exchange && number == 2 { edit("second", madeOf: ["start", "first"]) }
        }
        try replace()
        // For the exchange, a look at what came out, and the exchange that puts it back.
        #expect(sights.count { !$0 } == 2)
        #expect(try keys() == ["first", "ours", "second", "start"])
    }

    @Test("is back at once also when one that died is cleared away after") func recovering() throws {
        try leaveAsIfKilled()
        let calls = ScriptedCalls()
        calls.before = { [unowned self] call, number in
            look(before: call)
            if call == .exchange && number == 1 { edit("second", madeOf: ["start", "ours"]) }
        }
        _ = try DurableFile(folder.path(of: "notes")).replace(limit: 1_000, options: .fast, through: calls) { found in
            if found.displaced.isEmpty { return nil }
            return OutOfSightTests.merged(found).bytes
        }
        #expect(sights.count { !$0 } == 2)
        #expect(try keys() == ["first", "ours", "second", "start"])
        #expect(try folder.leftOvers() == [])
    }

    /// A version of ours is in the place of an edit that it does not hold.
    private func leaveAsIfKilled() throws {
        var mark = ""
        calls.before = { [unowned self] call, number in
            if call == .exchange && number == 1 { edit("first") }
        }
        calls.after = { [unowned self] call, number in
            guard call == .exchange && number == 1 else { return }
            mark = (try? folder.leftOvers().first) ?? ""
            link(folder.path(of: "notes"), folder.path(of: "new"))
            link(folder.path(of: mark), folder.path(of: "out"))
        }
        try replace()
        try folder.rename("new", to: "notes")
        try folder.rename("out", to: mark)
        sights = []
    }

    private func replace() throws {
        _ = try DurableFile(folder.path(of: "notes")).replace(limit: 1_000, options: .fast, through: calls) { found in
            var notes = OutOfSightTests.merged(found)
            notes.values["ours"] = "1"
            return notes.bytes
        }
    }

    private static func merged(_ found: FoundFile) -> Notes {
        Notes.merged(found) { Notes(complete: $0) ?? Notes() }
    }

    /// The number of the file that is to be in sight.
    private var last: ino_t?

    /// Until the next version of ours is begun, which holds what is in that file too. By its number, since opening it
    /// would have to wait for the end of a lease of ours.
    private func look(before call: ScriptedCalls.Call) {
        if call == .openUnnamed { last = nil }
        if let last { sights.append(number(of: "notes") == last) }
    }

    private func number(of name: String) -> ino_t {
        var status = stat()
        return stat(folder.path(of: name), &status) == 0 ? status.st_ino : 0
    }

    /// Renames a file with that key over the notes.
    private func edit(_ key: String, madeOf keys: [String] = ["start"]) {
        let notes = Notes(Dictionary(uniqueKeysWithValues: (keys + [key]).map { ($0, "1") }))
        #expect(throws: Never.self) {
            try folder.write("other", notes.bytes)
            if key == "second" { last = number(of: "other") }
            try folder.rename("other", to: "notes")
        }
    }

    private func keys() throws -> [String]? { Notes(complete: try folder.readBytes("notes"))?.values.keys.sorted() }
}

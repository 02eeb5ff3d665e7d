import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

/// Another program renames a file over a new version that is rolled back right after. While its file is not in
/// place, its own next edit would start without it.
@Suite("Files renamed over a version that is rolled back")
final class InterruptedReplacementTests {
    private let folder: TemporaryFolder
    private let calls = ScriptedCalls()
    /// For each call, whether the file renamed last was in place, until the next version includes it.
    private var wasInPlace: [Bool] = []

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("notes", KeyValueText(["start": "1"]).bytes)
    }

    @Test("A file renamed into place before the rollback stays in place") func before() throws {
        calls.before = { [unowned self] call, number in
            recordPlace(before: call)
            if call == .exchange && number == 1 { edit("first") }
        }
        calls.after = { [unowned self] call, number in
            if call == .exchange && number == 1 { edit("second", basedOn: ["start", "first"]) }
        }
        try replace()
        #expect(wasInPlace.count > 5 && !wasInPlace.contains(false))
        #expect(try keys() == ["first", "ours", "second", "start"])
    }

    @Test("A file renamed into place during the rollback is out of place for two calls only") func during() throws {
        calls.before = { [unowned self] call, number in
            recordPlace(before: call)
            if call == .exchange && number == 1 { edit("first") }
            if call == .exchange && number == 2 { edit("second", basedOn: ["start", "first"]) }
        }
        try replace()
        // During the exchange, the status call for the displaced file, and the exchange back.
        #expect(wasInPlace.count { !$0 } == 2)
        #expect(try keys() == ["first", "ours", "second", "start"])
    }

    @Test("A file renamed into place during recovery is out of place for two calls only") func recovering() throws {
        try simulateKill()
        let calls = ScriptedCalls()
        calls.before = { [unowned self] call, number in
            recordPlace(before: call)
            if call == .exchange && number == 1 { edit("second", basedOn: ["start", "ours"]) }
        }
        _ = try DurableFile(folder.path(of: "notes")).replace(limit: 1_000, options: .fast, through: calls) { found in
            if found.displaced.isEmpty { return nil }
            return InterruptedReplacementTests.merged(found).bytes
        }
        #expect(wasInPlace.count { !$0 } == 2)
        #expect(try keys() == ["first", "ours", "second", "start"])
        #expect(try folder.leftovers() == [])
    }

    /// Puts a new version in place of an edit that it does not include.
    private func simulateKill() throws {
        var temporaryName = ""
        calls.before = { [unowned self] call, number in
            if call == .exchange && number == 1 { edit("first") }
        }
        calls.after = { [unowned self] call, number in
            guard call == .exchange && number == 1 else { return }
            temporaryName = (try? folder.leftovers().first) ?? ""
            link(folder.path(of: "notes"), folder.path(of: "new"))
            link(folder.path(of: temporaryName), folder.path(of: "out"))
        }
        try replace()
        try folder.rename("new", to: "notes")
        try folder.rename("out", to: temporaryName)
        wasInPlace = []
    }

    private func replace() throws {
        _ = try DurableFile(folder.path(of: "notes")).replace(limit: 1_000, options: .fast, through: calls) { found in
            var notes = InterruptedReplacementTests.merged(found)
            notes.values["ours"] = "1"
            return notes.bytes
        }
    }

    private static func merged(_ found: FoundFile) -> KeyValueText {
        KeyValueText.merged(found) { KeyValueText(complete: $0) ?? KeyValueText() }
    }

    /// The inode number of the file that should be in place.
    private var last: ino_t?

    /// Records whether that file is in place, until the next version is prepared, which includes it. Compares inode
    /// numbers, because opening the file would wait for the lease.
    private func recordPlace(before call: ScriptedCalls.Call) {
        if call == .openUnnamed { last = nil }
        if let last { wasInPlace.append(number(of: "notes") == last) }
    }

    private func number(of name: String) -> ino_t {
        var status = stat()
        return stat(folder.path(of: name), &status) == 0 ? status.st_ino : 0
    }

    /// Renames a file with that key over the notes.
    private func edit(_ key: String, basedOn keys: [String] = ["start"]) {
        let notes = KeyValueText(Dictionary(uniqueKeysWithValues: (keys + [key]).map { ($0, "1") }))
        #expect(throws: Never.self) {
            try folder.write("other", notes.bytes)
            if key == "second" { last = number(of: "other") }
            try folder.rename("other", to: "notes")
        }
    }

    private func keys() throws -> [String]? {
        KeyValueText(complete: try folder.readBytes("notes"))?.values.keys.sorted()
    }
}

import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@testable import DurableFiles

/// Recovery of files left by a crash. Each test creates the state of a process killed at some call by letting all later
/// calls fail.
@Suite("Recovery after a crash")
struct RecoveryTests {
    private let fixture: ReplaceFixture

    init() throws { fixture = try ReplaceFixture() }

    /// Runs a replacement whose calls fail from the one with that number on, which has the effect of a crash, except
    /// that files are closed.
    private func crash(before call: ScriptedCalls.Call, _ number: Int = 1, adding word: String) throws {
        let calls = ScriptedCalls()
        calls.before = { made, count in
            guard made == call, count == number else { return }
            for other in ScriptedCalls.Call.allCases where ![.close, .unlock, .setLease].contains(other) {
                calls.failures[other] = Array(repeating: EIO, count: 100)
            }
        }
        #expect(throws: FileError.self) {
            try fixture.file.replace(limit: 1_000, options: .durable, through: calls) { ReplaceFixture.next($0, word) }
        }
        calls.before = { _, _ in }
    }

    private func temporaryNames() throws -> [String] { try fixture.names().filter { $0.contains(TemporaryName.infix) } }

    private func recover() throws -> Replacement {
        try fixture.file.recover(limit: 1_000) { base, ours, theirs in
            var words = WordList(ours)
            words.add(WordList(theirs).list)
            return words.bytes
        }
    }

    @Test("Recovery discards the new version of a replacement that crashed before the exchange")
    func before() throws {
        try crash(before: .exchange, adding: "lost")
        #expect(try temporaryNames().count == 1 && fixture.text() == "before")
        #expect(try recover().method == .unchanged)
        #expect(try fixture.text() == "before")
        try fixture.expectClean()
    }

    @Test("Recovery keeps the new version of a replacement that crashed after the exchange")
    func after() throws {
        try crash(before: .synchronize, adding: "kept")
        #expect(try temporaryNames().count == 1)
        #expect(try recover().text == "before kept")
        try fixture.expectClean()
    }

    @Test("Recovery puts an edit that the exchange displaced back into place")
    func pushedAside() throws {
        let calls = ScriptedCalls()
        calls.before = { [fixture] call, count in
            if call == .exchange, count == 1 { #expect(throws: Never.self) { try fixture.renameOver("theirs") } }
            if call == .exchange, count == 2 {
                for other in ScriptedCalls.Call.allCases where ![.close, .unlock, .setLease].contains(other) {
                    calls.failures[other] = Array(repeating: EIO, count: 100)
                }
            }
        }
        #expect(throws: FileError.self) {
            try fixture.file.replace(limit: 1_000, options: .durable, through: calls) {
                ReplaceFixture.next($0, "lost")
            }
        }
        calls.before = { _, _ in }
        #expect(try fixture.text() == "before lost" && temporaryNames().count == 1)
        let replacement = try recover()
        #expect(try fixture.text() == "theirs" && replacement.text == "theirs")
        try fixture.expectClean()
    }

    @Test("A displaced edit is passed to the closure if the new version has changed since the crash")
    func pushedAsideAndChanged() throws {
        try displaceFile("theirs")
        try fixture.folder.append(fixture.name, " more")
        let path = try fixture.folder.path(of: #require(temporaryNames().first))
        var asked: [FoundFile] = []
        let replacement = try fixture.file.replace(limit: 1_000) { found in
            asked.append(found)
            return ReplaceFixture.next(found, "ours")
        }
        #expect(asked.map(\.displaced) == [[DisplacedEdit(base: nil, bytes: Array("theirs".utf8), path: path)]])
        #expect(try fixture.text() == "before lost more theirs ours" && replacement.leftovers == [])
        try fixture.expectClean()
    }

    @Test("A displaced edit is kept after a crash if the closure throws")
    func callerThrows() throws {
        struct NotNow: Error {}
        try displaceFile("theirs")
        try fixture.folder.append(fixture.name, " more")
        #expect(throws: NotNow.self) { try fixture.file.replace(limit: 100) { _ in throw NotNow() } }
        #expect(try temporaryNames().count == 1 && fixture.text() == "before lost more")
        #expect(try recover().text == "before lost more theirs")
        try fixture.expectClean()
    }

    @Test("A displaced version that is still open after a crash is kept until it is closed", .needs(.python3))
    func stillOpen() throws {
        fixture.calls.pausesForReal = false
        try crash(before: .synchronize, adding: "kept")
        let left = try #require(temporaryNames().first)
        let writer = try WriterProcess(of: left, in: fixture.folder)
        try writer.expectOpen()
        let late = try #require(recover().leftovers.first)
        #expect(try late.contains("sm-displaced") && fixture.text() == "before kept")
        try writer.say("theirs")
        #expect(try recover().text == "before kept theirs")
        try fixture.expectClean()
    }

    /// Puts a new version in place, with another writer's file under its temporary name.
    private func displaceFile(_ text: String) throws {
        let expected = TemporaryName.VersionID(inode: try fixture.inode(), digest: Digest(Array("before".utf8)))
        try fixture.folder.rename(fixture.name, to: "old")
        try fixture.folder.write(fixture.name, "before lost")
        let new = TemporaryName.VersionID(inode: try fixture.inode(), digest: Digest(Array("before lost".utf8)))
        try fixture.folder.remove("old")
        try fixture.folder.write(TemporaryName(.swap(new: new, expected: expected)).name(for: fixture.name), text)
    }

    @Test("Recovery completes an interrupted write in place", arguments: 1...2)
    func inPlace(write: Int) throws {
        let calls = ScriptedCalls()
        calls.failures = [.exchange: [EBUSY]]
        calls.longestWrite = 3
        var torn = false
        calls.before = { call, _ in
            // The writes are the new version, its copy, and then the file itself, three bytes at a time.
            guard call == .write, calls.count(of: .write) == 8 + 10 + write + 1, !torn else { return }
            torn = true
            for other in ScriptedCalls.Call.allCases where ![.close, .unlock, .setLease].contains(other) {
                calls.failures[other] = Array(repeating: EIO, count: 100)
            }
        }
        #expect(throws: FileError.self) {
            try fixture.file.replace(limit: 1_000, options: .durable, through: calls) { _ in
                Array("quite another text now".utf8)
            }
        }
        calls.before = { _, _ in }
        #expect(torn)
        let left = try #require(temporaryNames().first)
        #expect(left.contains("sm-backup"))
        #expect(try recover().text == "quite another text now")
        try fixture.expectClean()
    }

    @Test("An edit made after an interrupted write in place is merged with the new version")
    func inPlaceAndEdited() throws {
        func version(_ text: String) -> TemporaryName.VersionID {
            TemporaryName.VersionID(inode: UInt64(text.utf8.count), digest: Digest(Array(text.utf8)))
        }
        let temporaryName = TemporaryName(.backup(old: version("before"), new: version("before ours")))
        try fixture.folder.write(temporaryName.name(for: fixture.name), "beforebefore ours")
        try fixture.folder.write(fixture.name, "theirs")
        var displaced: [DisplacedEdit] = []
        try fixture.file.replace(limit: 100) { found in
            displaced = found.displaced
            return ReplaceFixture.next(found, "more")
        }
        #expect(displaced.map(\.base) == [Array("before".utf8)])
        #expect(displaced.map(\.bytes) == [Array("before ours".utf8)])
        #expect(try fixture.text() == "theirs before ours more")
        try fixture.expectClean()
    }

    @Test(
        "An incomplete or unneeded backup copy is removed",
        arguments: [("befor", "before"), ("beforebefore ours", "before"), ("beforebefore ours", "before ours")])
    func uselessCopy(copy: String, text: String) throws {
        func version(_ text: String) -> TemporaryName.VersionID {
            TemporaryName.VersionID(inode: UInt64(text.utf8.count), digest: Digest(Array(text.utf8)))
        }
        let temporaryName = TemporaryName(.backup(old: version("before"), new: version("before ours")))
        try fixture.folder.write(temporaryName.name(for: fixture.name), copy)
        try fixture.folder.write(fixture.name, text)
        #expect(try recover().text == text)
        try fixture.expectClean()
    }

    @Test("Names similar to temporary names and leftovers of other files are left alone")
    func others() throws {
        let names = [
            ".a.json.sm-", ".a.json.sm-swap-1", ".a.json.sm-new-x", ".a.json.sm-other-1", "a.json.sm-new-1",
            ".b.json.sm-new-1", ".a.json.sm-swap-1-2-3-4-5-6",
        ]
        for name in names { try fixture.folder.write(name, "mine") }
        let replacement = try fixture.add("after")
        #expect(replacement.leftovers == [])
        try fixture.expectClean((names + [fixture.name]).sorted())
    }

    @Test("A missing or unusable backup directory does not affect a replacement")
    func unusableBackupDirectory() throws {
        var options = ReplaceOptions.durable
        for name in ["missing/copies", "a.json/copies", String(repeating: "n", count: 300)] {
            options.backupDirectory = fixture.folder.path(of: name)
            try fixture.add("after", options)
            try fixture.expectClean()
        }
    }

    @Test("A directory is searched for leftovers again only after it has changed")
    func memory() throws {
        var options = ReplaceOptions.durable
        // Otherwise the user's backup directory would be searched, too.
        options.backupDirectory = fixture.folder.path(of: "copies")
        try fixture.add("1", options)
        try fixture.add("2", options)
        #expect(fixture.calls.count(of: .list) == 1)
        try fixture.folder.write(".a.json.sm-new-1", "half")
        try fixture.add("3", options)
        #expect(fixture.calls.count(of: .list) == 2)
        try fixture.expectClean()
    }
}

@Suite("Temporary names")
struct TemporaryNameTests {
    private let one = TemporaryName.VersionID(inode: 0x1_2345, digest: Digest(value: .max))
    private let other = TemporaryName.VersionID(inode: .max, digest: Digest(value: 0))

    @Test("A temporary name is parsed as it was written")
    func roundTrip() throws {
        let kinds: [TemporaryName.Kind] = [
            .new, .swap(new: one, expected: other), .displaced(one), .backup(old: other, new: one),
        ]
        for name in ["a", "a.json", String(repeating: "n", count: 255), "with-dash.sm-new-1"] {
            for kind in kinds {
                let temporaryName = TemporaryName(kind)
                let text = temporaryName.name(for: name)
                #expect(text.utf8.count <= 255 && TemporaryName(text, for: name) == temporaryName)
            }
        }
    }

    @Test("Temporary names of long file names differ if the last characters differ")
    func longNames() {
        let start = String(repeating: "n", count: 254)
        #expect(TemporaryName.prefix(for: start + "a") != TemporaryName.prefix(for: start + "b"))
    }

    @Test("Digests differ if the bytes differ in any position or in number")
    func digests() {
        var seen: Set<Digest> = []
        for count in Array(0..<40) + [63, 64, 65, 127, 128, 129, 200] {
            for place in 0..<max(count, 1) {
                var bytes = [UInt8](repeating: 0, count: count)
                if count > 0 { bytes[place] = 1 }
                #expect(seen.insert(Digest(bytes)).inserted)
            }
            if count > 0 { #expect(seen.insert(Digest([UInt8](repeating: 0, count: count))).inserted) }
        }
        let words = (0..<24).map { [UInt8](repeating: $0, count: 8) }
        for first in 0..<24 {
            for second in 0..<first {
                var swapped = words
                swapped.swapAt(first, second)
                #expect(seen.insert(Digest(swapped.flatMap(\.self))).inserted)
            }
        }
        #expect(Digest(Array("the same everywhere".utf8)).value == 6_396_783_503_559_235_432)
        let long = String(repeating: "the same everywhere, ", count: 10)
        #expect(Digest(Array(long.utf8)).value == 9_729_189_858_061_146_016)
    }
}

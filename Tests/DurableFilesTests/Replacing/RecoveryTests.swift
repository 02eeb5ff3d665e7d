import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@testable import DurableFiles

/// What is made of the files that a crash leaves. Each test lays them out as a process leaves them that is killed at
/// some call, by letting the calls after it fail.
@Suite("After a crash")
struct RecoveryTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    /// Runs a replacement whose system calls all fail from the one with that number on: the same as a process that
    /// ended there, except that it closes what it opened.
    private func crash(before call: ScriptedCalls.Call, _ number: Int = 1, adding word: String) throws {
        let calls = ScriptedCalls()
        calls.before = { made, count in
            guard made == call, count == number else { return }
            for other in ScriptedCalls.Call.allCases where ![.close, .unlock, .setLease].contains(other) {
                calls.failures[other] = Array(repeating: EIO, count: 100)
            }
        }
        #expect(throws: FileError.self) {
            try bench.file.replace(limit: 1_000, options: .durable, through: calls) { Workbench.next($0, word) }
        }
        calls.before = { _, _ in }
    }

    private func marks() throws -> [String] { try bench.names().filter { $0.contains(Mark.sign) } }

    private func recover() throws -> Replacement {
        try bench.file.recover(limit: 1_000) { base, ours, theirs in
            var words = Words(ours)
            words.add(Words(theirs).list)
            return words.bytes
        }
    }

    @Test("before the exchange, the new version is thrown away")
    func before() throws {
        try crash(before: .exchange, adding: "lost")
        #expect(try marks().count == 1 && bench.text() == "before")
        #expect(try recover().method == .unchanged)
        #expect(try bench.text() == "before")
        try bench.expectClean()
    }

    @Test("after it, the new version stays and the old one is thrown away")
    func after() throws {
        try crash(before: .synchronise, adding: "kept")
        #expect(try marks().count == 1)
        #expect(try recover().text == "before kept")
        try bench.expectClean()
    }

    @Test("after an exchange that pushed somebody's edit aside, the edit takes its place again")
    func pushedAside() throws {
        let calls = ScriptedCalls()
        calls.before = { [bench] call, count in
            if call == .exchange, count == 1 { #expect(throws: Never.self) { try bench.renameOver("theirs") } }
            if call == .exchange, count == 2 {
                for other in ScriptedCalls.Call.allCases where ![.close, .unlock, .setLease].contains(other) {
                    calls.failures[other] = Array(repeating: EIO, count: 100)
                }
            }
        }
        #expect(throws: FileError.self) {
            try bench.file.replace(limit: 1_000, options: .durable, through: calls) { Workbench.next($0, "lost") }
        }
        calls.before = { _, _ in }
        #expect(try bench.text() == "before lost" && marks().count == 1)
        let replacement = try recover()
        #expect(try bench.text() == "theirs" && replacement.text == "theirs")
        try bench.expectClean()
    }

    @Test("the same is given to the caller, when the new version has been changed since")
    func pushedAsideAndChanged() throws {
        try pushAside("theirs")
        try bench.folder.append(bench.name, " more")
        let path = try bench.folder.path(of: #require(marks().first))
        var asked: [FoundFile] = []
        let replacement = try bench.file.replace(limit: 1_000) { found in
            asked.append(found)
            return Workbench.next(found, "ours")
        }
        #expect(asked.map(\.displaced) == [[DisplacedEdit(base: nil, bytes: Array("theirs".utf8), path: path)]])
        #expect(try bench.text() == "before lost more theirs ours" && replacement.leftOvers == [])
        try bench.expectClean()
    }

    @Test("what is given to a caller that throws lies there for the next one")
    func callerThrows() throws {
        struct NotNow: Error {}
        try pushAside("theirs")
        try bench.folder.append(bench.name, " more")
        #expect(throws: NotNow.self) { try bench.file.replace(limit: 100) { _ in throw NotNow() } }
        #expect(try marks().count == 1 && bench.text() == "before lost more")
        #expect(try recover().text == "before lost more theirs")
        try bench.expectClean()
    }

    @Test("what somebody still has open stays, until it is closed", .needs(.python3))
    func stillOpen() throws {
        bench.calls.pausesForReal = false
        try crash(before: .synchronise, adding: "kept")
        let left = try #require(marks().first)
        let writer = try Writer(of: left, in: bench.folder)
        try writer.expectOpen()
        let late = try #require(recover().leftOvers.first)
        #expect(try late.contains("sm-late") && bench.text() == "before kept")
        try writer.say("theirs")
        #expect(try recover().text == "before kept theirs")
        try bench.expectClean()
    }

    /// A new version in the place, and under its mark somebody's file.
    private func pushAside(_ text: String) throws {
        let expected = Mark.Version(inode: try bench.inode(), digest: Digest(Array("before".utf8)))
        try bench.folder.rename(bench.name, to: "old")
        try bench.folder.write(bench.name, "before lost")
        let new = Mark.Version(inode: try bench.inode(), digest: Digest(Array("before lost".utf8)))
        try bench.folder.remove("old")
        try bench.folder.write(Mark(.swap(new: new, expected: expected)).name(for: bench.name), text)
    }

    @Test("while it was written in place, it is written again, wherever the writing ended", arguments: 1...2)
    func inPlace(write: Int) throws {
        let calls = ScriptedCalls()
        calls.failures = [.exchange: [EBUSY]]
        calls.longestWrite = 3
        var torn = false
        calls.before = { call, _ in
            // The new version, its copy, and then the file itself, three bytes at a time.
            guard call == .write, calls.count(of: .write) == 8 + 10 + write + 1, !torn else { return }
            torn = true
            for other in ScriptedCalls.Call.allCases where ![.close, .unlock, .setLease].contains(other) {
                calls.failures[other] = Array(repeating: EIO, count: 100)
            }
        }
        #expect(throws: FileError.self) {
            try bench.file.replace(limit: 1_000, options: .durable, through: calls) { _ in
                Array("quite another text now".utf8)
            }
        }
        calls.before = { _, _ in }
        #expect(torn)
        let left = try #require(marks().first)
        #expect(left.contains("sm-rescue"))
        #expect(try recover().text == "quite another text now")
        try bench.expectClean()
    }

    @Test("while it was written in place, what somebody has made of it since is asked for")
    func inPlaceAndMended() throws {
        func version(_ text: String) -> Mark.Version {
            Mark.Version(inode: UInt64(text.utf8.count), digest: Digest(Array(text.utf8)))
        }
        let mark = Mark(.rescue(old: version("before"), new: version("before ours")))
        try bench.folder.write(mark.name(for: bench.name), "beforebefore ours")
        try bench.folder.write(bench.name, "theirs")
        var displaced: [DisplacedEdit] = []
        try bench.file.replace(limit: 100) { found in
            displaced = found.displaced
            return Workbench.next(found, "more")
        }
        #expect(displaced.map(\.base) == [Array("before".utf8)])
        #expect(displaced.map(\.bytes) == [Array("before ours".utf8)])
        #expect(try bench.text() == "theirs before ours more")
        try bench.expectClean()
    }

    @Test(
        "a copy that is not complete, or not needed, is thrown away",
        arguments: [("befor", "before"), ("beforebefore ours", "before"), ("beforebefore ours", "before ours")])
    func uselessCopy(copy: String, text: String) throws {
        func version(_ text: String) -> Mark.Version {
            Mark.Version(inode: UInt64(text.utf8.count), digest: Digest(Array(text.utf8)))
        }
        let mark = Mark(.rescue(old: version("before"), new: version("before ours")))
        try bench.folder.write(mark.name(for: bench.name), copy)
        try bench.folder.write(bench.name, text)
        #expect(try recover().text == text)
        try bench.expectClean()
    }

    @Test("names that only look like left-overs are left alone, and those of other files too")
    func others() throws {
        let names = [
            ".a.json.sm-", ".a.json.sm-swap-1", ".a.json.sm-new-x", ".a.json.sm-other-1", "a.json.sm-new-1",
            ".b.json.sm-new-1", ".a.json.sm-swap-1-2-3-4-5-6",
        ]
        for name in names { try bench.folder.write(name, "mine") }
        let replacement = try bench.add("after")
        #expect(replacement.leftOvers == [])
        try bench.expectClean((names + [bench.name]).sorted())
    }

    @Test("a folder that has not changed since is not looked through again, and one that has is")
    func memory() throws {
        var options = ReplaceOptions.durable
        // That of the user is looked through too, where there is one.
        options.rescueFolder = bench.folder.path(of: "copies")
        try bench.add("1", options)
        try bench.add("2", options)
        #expect(bench.calls.count(of: .list) == 1)
        try bench.folder.write(".a.json.sm-new-1", "half")
        try bench.add("3", options)
        #expect(bench.calls.count(of: .list) == 2)
        try bench.expectClean()
    }
}

@Suite("The names of left-overs")
struct MarkTests {
    private let one = Mark.Version(inode: 0x1_2345, digest: Digest(value: .max))
    private let other = Mark.Version(inode: .max, digest: Digest(value: 0))

    @Test("say what they are, and are read as they were written")
    func roundTrip() throws {
        let kinds: [Mark.Kind] = [
            .new, .swap(new: one, expected: other), .late(one), .rescue(old: other, new: one),
        ]
        for name in ["a", "a.json", String(repeating: "n", count: 255), "with-dash.sm-new-1"] {
            for kind in kinds {
                let mark = Mark(kind)
                let text = mark.name(for: name)
                #expect(text.utf8.count <= 255 && Mark(text, for: name) == mark)
            }
        }
    }

    @Test("of long names differ where the names do, however late")
    func longNames() {
        let start = String(repeating: "n", count: 254)
        #expect(Mark.prefix(for: start + "a") != Mark.prefix(for: start + "b"))
    }

    @Test("hold digests that differ where the bytes do, in any place and in number")
    func digests() {
        var seen: Set<Digest> = []
        for count in 0..<40 {
            for place in 0..<max(count, 1) {
                var bytes = [UInt8](repeating: 0, count: count)
                if count > 0 { bytes[place] = 1 }
                #expect(seen.insert(Digest(bytes)).inserted)
            }
            if count > 0 { #expect(seen.insert(Digest([UInt8](repeating: 0, count: count))).inserted) }
        }
        #expect(Digest(Array("the same everywhere".utf8)).value == 16_594_211_753_924_978_728)
    }
}

import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@testable import DurableFiles

/// As for a file of another user, or on a file system without leases.
@Suite("Replacing open files without leases", .needs(.python3))
struct QuietPeriodTests {
    private let fixture: ReplaceFixture

    init() throws {
        fixture = try ReplaceFixture()
        fixture.calls.failures = [.setLease: Array(repeating: EACCES, count: 10_000)]
        // Pauses only advance the clock.
        fixture.calls.pausesForReal = false
    }

    private func open() throws -> WriterProcess {
        let writer = try WriterProcess(of: fixture.name, in: fixture.folder)
        try writer.expectOpen()
        return writer
    }

    private func temporaryNames() throws -> [String] { try fixture.folder.leftovers() }

    /// Simulates a process that dies before that call, except that its files are closed.
    private func crash(before call: ScriptedCalls.Call, adding word: String) throws {
        let calls = ScriptedCalls()
        calls.failures = fixture.calls.failures
        calls.before = { made, _ in
            guard made == call else { return }
            for other in ScriptedCalls.Call.allCases where ![.close, .unlock].contains(other) {
                calls.failures[other] = Array(repeating: EIO, count: 100)
            }
        }
        defer { calls.forget() }
        #expect(throws: FileError.self) {
            try fixture.file.replace(limit: 1_000, options: .durable, through: calls) { ReplaceFixture.next($0, word) }
        }
    }

    @Test("A write to the displaced version within two seconds is merged")
    func writesLate() throws {
        let writer = try open()
        fixture.once(before: .pause) { try writer.say("theirs") }
        let replacement = try fixture.add("ours")
        #expect(try fixture.text() == "before ours theirs" && replacement.text == "before ours theirs")
        #expect(replacement.leftovers == [] && replacement.versionsStillOpen == 0)
        #expect(replacement.method == .exchanged && replacement.lease == .unavailable(EACCES))
        try fixture.expectClean()
    }

    @Test("A missing lease is reported even if leases work while late edits are merged")
    func leasesLate() throws {
        let writer = try open()
        fixture.once(before: .pause) {
            try writer.say("theirs")
            fixture.calls.failures[.setLease] = []
        }
        let replacement = try fixture.add("ours")
        #expect(replacement.text == "before ours theirs" && replacement.lease == .unavailable(EACCES))
        try fixture.expectClean()
    }

    @Test("A late write is merged on a file system that can only rename")
    func renamed() throws {
        fixture.calls.failures[.exchange] = Array(repeating: EINVAL, count: 10)
        fixture.calls.failures[.renameToUnused] = Array(repeating: EINVAL, count: 10)
        let writer = try open()
        fixture.once(before: .pause) { try writer.say("theirs") }
        let replacement = try fixture.add("ours")
        #expect(try fixture.text() == "before ours theirs" && replacement.method == .renamed)
        #expect(replacement.leftovers == [] && replacement.versionsStillOpen == 0)
        try fixture.expectClean()
    }

    @Test("A late write is merged without a directory lock")
    func unlocked() throws {
        fixture.calls.failures[.lock] = Array(repeating: ENOLCK, count: 100)
        let writer = try open()
        fixture.once(before: .pause) { try writer.say("theirs") }
        let replacement = try fixture.add("ours")
        #expect(try fixture.text() == "before ours theirs" && replacement.lock == .unavailable(ENOLCK))
        try fixture.expectClean()
    }

    @Test("A displaced version that nobody has open is removed without a report")
    func notOpen() throws {
        let replacement = try fixture.add("ours")
        #expect(replacement.leftovers == [] && replacement.versionsStillOpen == 0 && replacement.tries == 1)
        #expect(fixture.calls.pauses == [2_000_000])
        try fixture.expectClean()
    }

    @Test("A displaced version that stays open for longer than two seconds is reported", arguments: [true, false])
    func staysOpen(isMapped: Bool) throws {
        let script = """
            import mmap, os, sys
            file = os.open("a.json", os.O_RDWR)
            if sys.argv[1] == "true":
                memory = mmap.mmap(file, 0)
                os.close(file)
            print("open", flush=True)
            sys.stdin.readline()
            """
        let other = try Programs.python3.program.start(
            ["-c", script, "\(isMapped)"], in: fixture.folder, input: .lines)
        #expect(try other.line() == "open")
        let replacement = try fixture.add("ours")
        #expect(replacement.versionsStillOpen == 1 && replacement.leftovers == [])
        #expect(try fixture.text() == "before ours")
        try fixture.expectClean()
        try other.say("end")
        _ = try other.end()
    }

    @Test("A file that is written during every read makes a replacement fail with `busy` within five seconds")
    func writtenDuringEveryRead() throws {
        let (calls, path) = (fixture.calls, fixture.file.path)
        let start = calls.monotonicMicroseconds
        calls.after = { call, number in
            guard call == .read else { return }
            calls.monotonicClockOffset += 100_000
            let file = Glibc.open(path, O_WRONLY | O_CLOEXEC)
            pwrite(file, "\(number % 10)", 1, 0)
            close(file)
        }
        let error = #expect(throws: FileError.self) { try fixture.add("ours") }
        #expect(error?.code == .busy && calls.monotonicMicroseconds - start < 5_000_000)
    }

    @Test("A displaced version that is written repeatedly is kept and reported")
    func writtenRepeatedly() throws {
        let (writer, calls) = (try open(), fixture.calls)
        var count = 0
        calls.after = { call, _ in
            guard call == .pause else { return }
            count += 1
            #expect(throws: Never.self) { try writer.say("theirs\(count)", closes: false) }
            // The file is new, regardless of the simulated clock.
            calls.clockOffset = 0
            calls.monotonicClockOffset += 2_000_000
        }
        let replacement = try fixture.add("ours")
        #expect(replacement.leftovers.count == 1 && replacement.versionsStillOpen == 0)
        #expect(try temporaryNames().count == 1)
        try writer.close()
        calls.clockOffset += 2_000_000
        let next = try fixture.add("more")
        #expect(next.leftovers == [] && next.versionsStillOpen == 0)
        let words = WordList(Array(try fixture.text().utf8)).list
        #expect(Set(words) == Set(["before", "ours", "more"] + (1...count).map { "theirs\($0)" }))
        try fixture.expectClean()
    }

    @Test(
        "The next replacement after a crash merges what was written to the displaced version",
        arguments: [ScriptedCalls.Call.synchronize, .pause])
    func crashed(call: ScriptedCalls.Call) throws {
        let writer = try open()
        if call == .pause {
            // Killed during the quiet period: nothing more is done.
            try fixture.file.replace(
                limit: 1_000, options: .durable, through: fixture.calls, waitsForQuietPeriod: false
            ) { ReplaceFixture.next($0, "ours") }
            DisplacedVersionCache.forget(beginningWith: "", except: [])
        } else {
            try crash(before: call, adding: "ours")
        }
        #expect(try temporaryNames().count == 1 && fixture.text() == "before ours")
        let early = try fixture.file.replace(
            limit: 1_000, options: .durable, through: fixture.calls, waitsForQuietPeriod: false
        ) { ReplaceFixture.next($0, "more") }
        #expect(early.leftovers == [] && early.recheckDelay != nil)
        #expect(try temporaryNames().count == 2)
        try writer.say("theirs")
        fixture.calls.clockOffset += 2_000_000
        let next = try fixture.add("last")
        #expect(Set(WordList(Array(try fixture.text().utf8)).list) == ["before", "ours", "more", "theirs", "last"])
        #expect(next.leftovers == [] && next.versionsStillOpen == 0)
        try fixture.expectClean()
    }

    @Test("A late edit is passed to the closure together with its base")
    func base() throws {
        let writer = try open()
        fixture.once(before: .pause) { try writer.say("theirs") }
        var displaced: [DisplacedEdit] = []
        defer { fixture.calls.forget() }
        try fixture.file.replace(limit: 1_000, options: .durable, through: fixture.calls) { found in
            displaced += found.displaced
            return ReplaceFixture.next(found, "ours")
        }
        #expect(displaced.map(\.base) == [Array("before".utf8)])
        #expect(displaced.map(\.bytes) == [Array("before theirs".utf8)])
    }

    @Test("A late edit is kept for the next replacement if the closure throws")
    func throwing() throws {
        struct NotNow: Error {}
        let writer = try open()
        fixture.once(before: .pause) { try writer.say("theirs") }
        #expect(throws: NotNow.self) {
            try fixture.file.replace(limit: 1_000, options: .durable, through: fixture.calls) { found in
                if !found.displaced.isEmpty { throw NotNow() }
                return ReplaceFixture.next(found, "ours")
            }
        }
        fixture.calls.forget()
        #expect(try temporaryNames().count == 1 && fixture.text() == "before ours")
        #expect(try fixture.add("more").text == "before ours theirs more")
        try fixture.expectClean()
    }

    @Test("A write under another name of the displaced version is merged for two seconds only")
    func otherNames() throws {
        try #require(link(fixture.file.path, fixture.folder.path(of: "other")) == 0)
        fixture.once(before: .pause) { try fixture.folder.append("other", " theirs") }
        let replacement = try fixture.add("ours")
        #expect(try fixture.text() == "before ours theirs" && fixture.folder.read("other") == "before theirs")
        #expect(replacement.linksToOldVersion == 1 && replacement.versionsStillOpen == 0)
        try fixture.folder.append("other", " later")
        fixture.calls.clockOffset += 2_000_000
        #expect(try fixture.add("more").text == "before ours theirs more")
        try fixture.expectClean(["a.json", "other"])
    }

    @Test("Another replacement gets the directory lock during the quiet period")
    func others() throws {
        fixture.once(before: .pause) {
            let other = try fixture.file.replace(limit: 1_000) { ReplaceFixture.next($0, "other") }
            #expect(other.lock == .held)
        }
        let replacement = try fixture.add("ours")
        #expect(try fixture.text() == "before ours other" && replacement.leftovers == [])
        try fixture.expectClean()
    }
}

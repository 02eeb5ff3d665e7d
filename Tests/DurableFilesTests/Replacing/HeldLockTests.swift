import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

/// Any user who may read a directory may lock it.
@Suite("Directories locked by another process")
struct HeldLockTests {
    @Test("A replacement waits five seconds in total, however many locks it needs")
    func allLocks() throws {
        let fixture = try ReplaceFixture()
        for number in 1...3 { try fixture.folder.write(".a.json.sm-backup-1-2-3-4-\(number)", "x") }
        fixture.calls.pausesForReal = false
        fixture.calls.failures = [.lock: Array(repeating: EAGAIN, count: 100_000)]
        let replacement = try fixture.add("after")
        #expect(replacement.lock == .timedOut && replacement.text == "before after")
        #expect(fixture.calls.pauses.reduce(0, +) == 5_000_000)
    }

    @Test("A replacement waits five seconds in total, however often the path changes")
    func changingPath() throws {
        let fixture = try ReplaceFixture()
        for name in ["one", "two"] {
            try fixture.folder.createFolder(name)
            try fixture.folder.write("\(name)/a.json", name)
        }
        try fixture.folder.link("data", to: "one")
        fixture.calls.pausesForReal = false
        fixture.calls.failures = [.lock: Array(repeating: EAGAIN, count: 100_000)]
        fixture.calls.before = { [fixture] call, number in
            guard call == .statusOfPath else { return }
            #expect(throws: Never.self) {
                try fixture.folder.link("next", to: number.isMultiple(of: 2) ? "one" : "two")
                try fixture.folder.rename("next", to: "data")
            }
        }
        #expect(throws: FileError.self) { try fixture.add("x", path: fixture.folder.path(of: "data/a.json")) }
        #expect(fixture.calls.pauses.reduce(0, +) == 5_000_000)
    }

    @Test(
        "A replacement proceeds without a lock that another user never releases, and reports it", .asAnyUser,
        .needs(.setpriv, .python3))
    func neverReleased() throws {
        let multiUser = try MultiUserFixture()
        let holder = try holdLock(of: "system", in: multiUser, "signal.pause()")
        multiUser.calls.pausesForReal = false
        let replacement = try multiUser.add("ours", to: "system/a.json")
        #expect(replacement.lock == .timedOut && replacement.text == "secret ours")
        #expect(multiUser.calls.pauses.reduce(0, +) <= 5_000_000)
        withExtendedLifetime(holder) {}
    }

    @Test(
        "A lock that another user takes repeatedly delays a replacement by at most five seconds", .asAnyUser,
        .needs(.setpriv, .python3))
    func takenRepeatedly() throws {
        let multiUser = try MultiUserFixture()
        let holder = try holdLock(
            of: "system", in: multiUser,
            "while True: time.sleep(0.01); fcntl.flock(d, fcntl.LOCK_UN); fcntl.flock(d, fcntl.LOCK_EX)")
        for number in 1...3 {
            let waited = multiUser.calls.pauses.count
            #expect(try multiUser.add("\(number)", to: "system/a.json").text?.hasSuffix("\(number)") == true)
            #expect(multiUser.calls.pauses.dropFirst(waited).reduce(0, +) <= 5_000_000)
        }
        withExtendedLifetime(holder) {}
    }

    private func holdLock(of name: String, in multiUser: MultiUserFixture, _ then: String) throws -> RunningProgram {
        let script = """
            import fcntl, os, signal, sys, time
            d = os.open("\(name)", os.O_RDONLY)
            fcntl.flock(d, fcntl.LOCK_EX)
            print("locked", flush=True)
            \(then)
            """
        let holder = try Programs.setpriv.program.start(
            MultiUserFixture.command(as: MultiUserFixture.user, "exec python3 -c '\(script)'"), in: multiUser.folder)
        try #require(try holder.line() == "locked")
        return holder
    }
}

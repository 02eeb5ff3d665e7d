import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("Replacing a file that another process keeps changing", .needs(.python3))
struct ChangingFileTests {
    private let folder: TemporaryFolder
    private let file: DurableFile

    init() throws {
        folder = try TemporaryFolder()
        file = DurableFile(folder.path(of: "a.json"))
    }

    /// What the other process does about once a millisecond.
    enum Activity: String, CaseIterable, CustomTestStringConvertible {
        case touch, chmod, link
        case attribute = "setxattr"
        /// Opens the file for writing and closes it.
        case open
        /// Overwrites the contents with the same bytes.
        case rewrite
        /// Renames a copy over the file.
        case copy

        var testDescription: String { rawValue }

        var script: String {
            """
            import os, sys, time
            path = sys.argv[1]
            def touch(n): os.utime(path)
            def chmod(n): os.chmod(path, [0o600, 0o640][n % 2])
            def link(n):
                os.link(path, path + ".other")
                os.unlink(path + ".other")
            def setxattr(n): os.setxattr(path, "user.note", str(n).encode())
            def open_(n): os.close(os.open(path, os.O_RDWR))
            def rewrite(n):
                file = os.open(path, os.O_RDWR)
                os.pwrite(file, os.pread(file, 1 << 26, 0), 0)
                os.close(file)
            with open(path, "rb") as file: beginning = file.read()
            def copy(n):
                with open(path + ".copy", "wb") as file: file.write(beginning)
                os.rename(path + ".copy", path)
            act = {"open": open_}.get(sys.argv[2]) or globals()[sys.argv[2]]
            n = 0
            while True:
                act(n)
                n += 1
                if n == 5: print("going", flush=True)
                time.sleep(0.001)
            """
        }
    }

    private func start(_ activity: Activity) throws -> RunningProgram {
        let other = try Programs.python3.program.start(
            ["-c", activity.script, "a.json", activity.rawValue], in: folder)
        #expect(try other.line() == "going")
        return other
    }

    @Test(
        "A file that is touched, linked, reopened or rewritten continually is replaced within a few tries",
        arguments: [
            (Activity.touch, 1), (.touch, 20), (.chmod, 1), (.chmod, 20), (.link, 1), (.attribute, 1), (.open, 1),
            (.open, 20), (.rewrite, 1),
        ])
    func fewTries(activity: Activity, megabytes: Int) throws {
        let size = megabytes << 20
        try folder.write("a.json", [UInt8](repeating: 0, count: size))
        let other = try start(activity)
        for round in UInt8(1)...5 {
            let replacement = try file.replace(limit: 1 << 25, options: .fast) { found in
                #expect(found.contents?.bytes.last == round - 1 && found.displaced.isEmpty)
                return [UInt8](repeating: round, count: size)
            }
            // A process that opens the file for writing goes first ten times.
            let most = [.open, .rewrite].contains(activity) ? 15 : 5
            #expect(replacement.tries <= most && replacement.method == .exchanged, "\(replacement.tries) tries")
            #expect(replacement.leftovers == [])
        }
        other.send(SIGKILL)
        _ = try other.end()
        #expect(try file.read(limit: 1 << 25).bytes == [UInt8](repeating: 5, count: size))
        #expect(try folder.leftovers() == [])
    }

    /// The renamed file is older than the new version and reverts it. It must not delay the replacement.
    @Test(
        "A file that is continually replaced by copies of the same bytes is replaced within a few tries",
        arguments: [1, 5])
    func sameBytes(megabytes: Int) throws {
        let size = megabytes << 20
        try folder.write("a.json", [UInt8](repeating: 0, count: size))
        let other = try start(.copy)
        for round in UInt8(1)...5 {
            let replacement = try file.replace(limit: 1 << 25, options: .fast) { found in
                #expect(found.contents?.bytes.last == 0 || found.contents?.bytes.last == round - 1)
                return [UInt8](repeating: round, count: size)
            }
            #expect(replacement.tries <= 5 && replacement.leftovers == [], "\(replacement.tries) tries")
        }
        other.send(SIGKILL)
        _ = try other.end()
        #expect(try folder.leftovers() == [])
    }

    @Test("A file whose times change continually is read as stable", arguments: [1, 20])
    func reading(megabytes: Int) throws {
        try folder.write("a.json", [UInt8](repeating: 7, count: megabytes << 20))
        let other = try start(.touch)
        for _ in 1...5 { #expect(try file.read(limit: 1 << 25).isStable) }
        withExtendedLifetime(other) {}
    }
}

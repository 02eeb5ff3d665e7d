import Dispatch
import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("Writing in place without a directory lock")
struct LiveWriterTests {
    private let folder: TemporaryFolder
    private static let (old, new) = ("the old version", "new")

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a.json", Self.old)
    }

    @Test("Recovery waits for a live process that is writing the file in place", arguments: [true, false])
    func waiting(leases: Bool) throws {
        let (torn, resume) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let folder = folder
        onThreads(2) { number in
            #expect(throws: Never.self) {
                if number == 0 {
                    defer { torn.signal() }
                    try Self.write(in: folder, leases) {
                        torn.signal()
                        resume.wait()
                    }
                } else {
                    torn.wait()
                    // Also if the wait failed, so that no thread waits forever.
                    defer { resume.signal() }
                    try Self.recover(in: folder, leases) { resume.signal() }
                }
            }
        }
        #expect(try folder.read("a.json") == Self.new)
    }

    /// Simulates a directory without write permission, also for root.
    private static func write(in folder: TemporaryFolder, _ leases: Bool, whenTorn: @escaping () -> Void) throws {
        let (file, calls, options) = scripted(folder, leases)
        calls.failures[.openUnnamed] = [EACCES, EACCES]
        calls.before = { call, _ in if call == .setSize { whenTorn() } }
        let result = try file.replace(limit: 100, options: options, through: calls) { _ in Array(new.utf8) }
        #expect(result.method == .overwritten && result.lock == .unavailable(EBADF))
    }

    private static func recover(in folder: TemporaryFolder, _ leases: Bool, whenWaiting: @escaping () -> Void) throws {
        let (file, calls, options) = scripted(folder, leases)
        // A lease would block the reader.
        if !leases { #expect(try folder.read("a.json") == "new old version") }
        calls.before = { call, count in if call == .pause, count == 3 { whenWaiting() } }
        let result = try file.replace(limit: 100, options: options, through: calls) { found in
            #expect(found.contents?.bytes == Array(new.utf8) && found.displaced.isEmpty)
            return nil
        }
        #expect(result.method == .unchanged && result.leftovers.isEmpty && calls.count(of: .pause) >= 3)
    }

    private static func scripted(
        _ folder: TemporaryFolder, _ leases: Bool
    ) -> (DurableFile, ScriptedCalls, ReplaceOptions) {
        let calls = ScriptedCalls()
        calls.pausesForReal = true
        calls.failures = [.lock: [EBADF]]
        if !leases { calls.failures[.setLease] = Array(repeating: EACCES, count: 100) }
        var options = ReplaceOptions.durable
        options.backupDirectory = folder.path(of: "copies")
        return (DurableFile(folder.path(of: "a.json")), calls, options)
    }
}

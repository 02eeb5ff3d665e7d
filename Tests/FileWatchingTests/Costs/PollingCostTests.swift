import TestSupport
import Testing

/// The costs of polling, measured in a separate process.
@Suite("A thousand polled files", .enabled(if: !Sanitizer.isActive)) struct PollingCostTests {
    private static let count = 1_000
    private static let seconds = 5

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A thousand polled files wake one thread once a second and never the watching thread")
    func rest() async throws {
        for file in 0..<Self.count { try folder.write("\(file)", "0") }
        try folder.write("list", (0..<Self.count).map { "\(folder.path(of: "\($0)"))\n" }.joined())
        let probe = try Program.built("WatchProbe").start(["edits", "polling", "list"], in: folder, input: .lines)
        let process = ObservedProcess(identifier: probe.identifier)
        try probe.say("go on")
        _ = try probe.line(with: "armed")
        #expect(try process.watches() == 0 && process.threads().count == 3)

        // At first, and on a busy machine, there are more wakeups.
        var windows: [(watching: Int, polling: Int)] = []
        while windows.last.map({ $0.watching == 0 && $0.polling < 10 * Self.seconds }) != true, windows.count < 6 {
            let before = try switches(of: process)
            try await Task.sleep(for: .seconds(Self.seconds))
            let after = try switches(of: process)
            windows.append((after.watching - before.watching, after.polling - before.polling))
        }
        let last = try #require(windows.last)
        #expect(last.watching == 0 && last.polling < 10 * Self.seconds, "\(windows)")
        #expect(last.polling >= Self.seconds - 1, "polling continues: \(windows)")

        try folder.write("777", "1")
        _ = try probe.line(with: "777 1 ")
        try probe.say("cancel")
        _ = try probe.line(with: "cancelled")
        try await eventually("the polling thread has ended") { try process.threads().count == 2 }
        #expect(try probe.end().code == 0)
    }

    private func switches(of process: ObservedProcess) throws -> (watching: Int, polling: Int) {
        let threads = try process.threads()
        let watching = try #require(threads.first { $0.name == "FileWatching" }?.switches)
        let polling = try #require(threads.first { $0.name == "FilePolling" }?.switches)
        return (watching, polling)
    }
}

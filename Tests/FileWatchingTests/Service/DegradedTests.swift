import Glibc
import TestSupport
import Testing

@testable import FileWatching

/// Watches during and after failures of the kernel.
@Suite struct DegradedTests {
    let folder: TemporaryFolder
    let faulty = FaultyService()

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a.json", "{}")
    }

    func watch(_ name: String = "a.json") throws -> WatchedFile {
        try WatchedFile(folder.path(of: name), by: faulty.service)
    }

    private func replace() throws {
        try folder.write("tmp", "{}")
        try folder.rename("tmp", to: "a.json")
    }

    private func expectPolling(
        _ file: WatchedFile, _ code: FileWatchReason.Code, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        eventually("the file is polled", sourceLocation: sourceLocation) { file.reason == code }
        #expect(file.watch.backend == .polling, sourceLocation: sourceLocation)
    }

    private func expectLive(_ file: WatchedFile, _ sourceLocation: SourceLocation = #_sourceLocation) throws {
        eventually("the file is live again", sourceLocation: sourceLocation) { file.isLive }
        try file.expectChange("an append", sourceLocation: sourceLocation) { try folder.append("a.json", " ") }
        #expect(faulty.service.statistics.filesPolled == 0, sourceLocation: sourceLocation)
    }

    @Test(
        "A watch limit at the beginning is reported with advice, and the file is polled until it is lifted"
    )
    func limitAtBeginning() throws {
        faulty.change { $0.add = ENOSPC }
        let file = try watch()
        #expect(file.signals.first == .status(.polling(.watchLimit())))
        #expect(file.watch.backend == .polling)
        #expect(faulty.inspect { $0.table.count } == 0)
        #expect(faulty.service.statistics.filesPolled == 1)
        let text = "\(FileWatchReason.watchLimit())"
        #expect(text.contains("max_user_watches=") && text.hasSuffix("; retried every second"))
        for _ in 0..<3 { try file.expectChange("an append") { try folder.append("a.json", " ") } }
        faulty.change { $0.add = nil }
        try expectLive(file)
    }

    @Test("While inotify cannot start the file is polled, and it starts as soon as possible")
    func startFails() throws {
        faulty.change { $0.start = .start(SystemError(number: EMFILE)) }
        let file = try watch()
        expectPolling(file, .instanceLimit)
        #expect(faulty.service.statistics.backend == nil)
        #expect("\(file.watch.status)".contains("max_user_instances="))
        try file.expectChange("a replacement") { try replace() }
        faulty.change { $0.start = nil }
        try expectLive(file)
        #expect(faulty.service.statistics.backend == .kernelInotify)
    }

    @Test("When a limit is reached later the file is polled, until it is live again")
    func limitLater() throws {
        let file = try watch()
        faulty.change { $0.add = ENOSPC }
        try replace()
        expectPolling(file, .watchLimit)
        eventually("the file is polled") { faulty.service.statistics.filesPolled == 1 }
        try file.expectChange("an append") { try folder.append("a.json", " ") }
        try file.expectChange("a replacement") { try replace() }
        faulty.change { $0.add = nil }
        try expectLive(file)
        #expect(file.watch.backend == .kernelInotify)
        let statuses = file.signals.filter { $0 != .mayHaveChanged }
        #expect(statuses == [.status(.polling(.watchLimit())), .status(.live)])
    }

    @Test("After a failed restart all files are polled")
    func restartFails() throws {
        try folder.write("b.json", "{}")
        let files = [try watch(), try watch("b.json")]
        faulty.change {
            $0.start = .start(SystemError(number: EMFILE))
            $0.hasOverflow = true
        }
        try folder.append("a.json", " ")
        for file in files { expectPolling(file, .instanceLimit) }
        faulty.change { $0.start = nil }
        for file in files { eventually("the file is live again") { file.isLive } }
        try expectLive(files[0])
        #expect(files.map(\.watch.metrics.overflows) == [1, 1])
    }

    @Test("While a limit is reached, one attempt per interval is made for all paths")
    func oneAttempt() throws {
        let files = try (0..<50).map { try watch("\($0)") }
        faulty.change {
            $0.start = .start(SystemError(number: EMFILE))
            $0.hasOverflow = true
        }
        try folder.write("0", "")
        for file in files { expectPolling(file, .instanceLimit) }
        let (begin, starts) = (ContinuousClock.now, faulty.starts)
        eventually("ten attempts") { faulty.starts >= starts + 10 }
        let attempts = faulty.starts - starts
        // One attempt per interval of 20 ms; fifty separate retries would make fifty per interval.
        #expect(Double(attempts) <= (ContinuousClock.now - begin) / .milliseconds(20) + 2)
        faulty.change { $0.start = nil }
        for file in files { eventually("the file is live again") { file.isLive } }
    }

    @Test("Cancelling a polled watch removes it, and the service sleeps")
    func cancelled() throws {
        let file = try watch()
        faulty.change { $0.add = ENOSPC }
        try replace()
        expectPolling(file, .watchLimit)
        file.watch.cancel()
        file.settle()
        #expect(faulty.service.statistics.filesPolled == 0)
        eventually("the service sleeps") { faulty.service.perform { $0.timeout } == -1 }
    }

    @Test("A generated file is reported once per interval until the path leads elsewhere")
    func fileSystem() throws {
        try folder.link("l", to: "/proc/self/limits")
        let file = try watch("l")
        expectPolling(file, .fileSystem)
        #expect("\(file.watch.status)".contains("proc, whose files the kernel generates"))
        let changeCount = file.changeCount
        eventually("repeated changes without events") { file.changeCount > changeCount + 2 }
        try folder.link("tmp", to: "a.json")
        try folder.rename("tmp", to: "l")
        try expectLive(file)
    }

    @Test("Requested polling is used even where inotify works")
    func requested() throws {
        let file = try WatchedFile(folder.path(of: "a.json"), method: .polling, by: faulty.service)
        expectPolling(file, .requested)
        for _ in 0..<3 {
            try file.expectChange("an append") { try folder.append("a.json", " ") }
            try file.expectChange("a replacement") { try replace() }
        }
        expectPolling(file, .requested)
        #expect(faulty.inspect { $0.table.count } == 0)
        // What the polling thread has reported may still be handled.
        eventually("the service itself sleeps") { faulty.service.perform { $0.timeout } == -1 }
    }
}

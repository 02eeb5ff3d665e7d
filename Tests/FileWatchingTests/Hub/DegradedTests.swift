import Glibc
import TestSupport
import Testing

@testable import FileWatching

/// What becomes of watches when the kernel refuses, and afterwards.
@Suite struct DegradedTests {
    let folder: TemporaryFolder
    let faulty = FaultyHub()

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a.json", "{}")
    }

    private func watch(_ name: String = "a.json") throws -> WatchedFile {
        try WatchedFile(folder.path(of: name), by: faulty.hub)
    }

    private func replace() throws {
        try folder.write("tmp", "{}")
        try folder.rename("tmp", to: "a.json")
    }

    private func expectPolling(
        _ file: WatchedFile, _ code: FileWatchReason.Code, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        eventually("it is polled", sourceLocation: sourceLocation) { file.reason == code }
        #expect(file.watch.backend == .polling, sourceLocation: sourceLocation)
    }

    private func expectLive(_ file: WatchedFile, _ sourceLocation: SourceLocation = #_sourceLocation) throws {
        eventually("it is live again", sourceLocation: sourceLocation) { file.isLive }
        try file.expectLook("an append", sourceLocation: sourceLocation) { try folder.append("a.json", " ") }
        #expect(faulty.hub.statistics.filesPolled == 0, sourceLocation: sourceLocation)
    }

    @Test(
        "a limit that is reached at the beginning is told with what would help, and the file is polled until it is gone"
    )
    func limitAtBeginning() throws {
        faulty.change { $0.add = ENOSPC }
        let file = try watch()
        #expect(file.signals.first == .status(.polling(.watchLimit())))
        #expect(file.watch.backend == .polling)
        #expect(faulty.inspect { $0.table.count } == 0)
        #expect(faulty.hub.statistics.filesPolled == 1)
        let text = "\(FileWatchReason.watchLimit())"
        #expect(text.contains("max_user_watches=") && text.hasSuffix("; tried again every second"))
        for _ in 0..<3 { try file.expectLook("an append") { try folder.append("a.json", " ") } }
        faulty.change { $0.add = nil }
        try expectLive(file)
    }

    @Test("inotify that does not start makes a file be polled, and is started as soon as it can be")
    func startFails() throws {
        faulty.change { $0.start = .start(SystemError(number: EMFILE)) }
        let file = try watch()
        expectPolling(file, .instanceLimit)
        #expect(faulty.hub.statistics.backend == nil)
        #expect("\(file.watch.status)".contains("max_user_instances="))
        try file.expectLook("a replacement") { try replace() }
        faulty.change { $0.start = nil }
        try expectLive(file)
        #expect(faulty.hub.statistics.backend == .kernelInotify)
    }

    @Test("a limit that is reached later makes the file be polled, until it is live again")
    func limitLater() throws {
        let file = try watch()
        faulty.change { $0.add = ENOSPC }
        try replace()
        expectPolling(file, .watchLimit)
        #expect(faulty.hub.statistics.filesPolled == 1)
        try file.expectLook("an append") { try folder.append("a.json", " ") }
        try file.expectLook("a replacement") { try replace() }
        faulty.change { $0.add = nil }
        try expectLive(file)
        #expect(file.watch.backend == .kernelInotify)
        let statuses = file.signals.filter { $0 != .lookAgain }
        #expect(statuses == [.status(.polling(.watchLimit())), .status(.live)])
    }

    @Test("inotify that does not start again makes all watches look once in a while")
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
        for file in files { eventually("it is live again") { file.isLive } }
        try expectLive(files[0])
        #expect(files.map(\.watch.metrics.overflows) == [1, 1])
    }

    @Test("where a limit is used up, one attempt at a time is made for all paths")
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
        // One for each time that it is tried, which is after 20 ms; the fifty would have made as many at a time.
        #expect(Double(attempts) <= (ContinuousClock.now - begin) / .milliseconds(20) + 2)
        faulty.change { $0.start = nil }
        for file in files { eventually("it is live again") { file.isLive } }
    }

    @Test("what is cancelled while it is polled is left alone, and the hub sleeps")
    func cancelled() throws {
        let file = try watch()
        faulty.change { $0.add = ENOSPC }
        try replace()
        expectPolling(file, .watchLimit)
        file.watch.cancel()
        file.settle()
        #expect(faulty.hub.statistics.filesPolled == 0)
        #expect(faulty.hub.ask { $0.timeout } == -1)
    }

    @Test("a file that the kernel makes up is read once in an interval, and live again when the path leads elsewhere")
    func fileSystem() throws {
        try folder.link("l", to: "/proc/self/limits")
        let file = try watch("l")
        expectPolling(file, .fileSystem)
        #expect("\(file.watch.status)".contains("proc, whose files the kernel makes up"))
        let looks = file.looks
        eventually("looks without any event") { file.looks > looks + 2 }
        try folder.link("tmp", to: "a.json")
        try folder.rename("tmp", to: "l")
        try expectLive(file)
    }

    @Test("what is to be polled is polled, whatever inotify could do")
    func requested() throws {
        let file = try WatchedFile(folder.path(of: "a.json"), method: .polling, by: faulty.hub)
        expectPolling(file, .requested)
        for _ in 0..<3 {
            try file.expectLook("an append") { try folder.append("a.json", " ") }
            try file.expectLook("a replacement") { try replace() }
        }
        expectPolling(file, .requested)
        #expect(faulty.inspect { $0.table.count } == 0)
        #expect(faulty.hub.ask { $0.timeout } == -1, "the hub itself sleeps")
    }
}

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
        _ file: WatchedFile, _ code: FileWatchReason.Code, _ sourceLocation: SourceLocation = #_sourceLocation
    ) {
        eventually("it is polled", sourceLocation: sourceLocation) { file.reason == code }
        let before = file.looks
        eventually("looks without any event", sourceLocation: sourceLocation) { file.looks > before + 2 }
    }

    private func expectLive(_ file: WatchedFile, _ sourceLocation: SourceLocation = #_sourceLocation) throws {
        eventually("it is live again", sourceLocation: sourceLocation) { file.isLive }
        try file.expectLook("an append", sourceLocation: sourceLocation) { try folder.append("a.json", " ") }
        #expect(faulty.hub.statistics.filesPolled == 0, sourceLocation: sourceLocation)
    }

    @Test("a limit that is reached at the beginning is an error that says what would help")
    func limitAtBeginning() throws {
        faulty.change { $0.add = ENOSPC }
        let error = #expect(throws: FileWatchError.self) { try watch() }
        #expect(error?.code == .watchLimit)
        #expect(error?.reason.errorNumber == ENOSPC)
        #expect(error?.description.contains("max_user_watches=") == true)
        #expect(faulty.inspect { $0.table.count } == 0)
        #expect(faulty.hub.statistics.filesWatched == 0)
    }

    @Test("inotify that does not start is an error, and the next watch tries again")
    func startFails() throws {
        faulty.change { $0.start = .start(SystemError(number: EMFILE)) }
        let error = #expect(throws: FileWatchError.self) { try watch() }
        #expect(error?.code == .instanceLimit)
        #expect(error?.description.contains("max_user_instances=") == true)
        faulty.change { $0.start = nil }
        try expectLive(try watch())
    }

    @Test("a limit that is reached later makes the watch look once in a while, until it is live again")
    func limitLater() throws {
        let file = try watch()
        faulty.change { $0.add = ENOSPC }
        try replace()
        expectPolling(file, .watchLimit)
        #expect(faulty.hub.statistics.filesPolled == 1)
        faulty.change { $0.add = nil }
        try expectLive(file)
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
        let looks = files[49].looks  // before the starts, which may go on meanwhile
        let starts = faulty.starts
        eventually("ten rounds") { files[49].looks >= looks + 10 }
        #expect(faulty.starts - starts <= files[49].looks - looks + 1)
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

    @Test("a file system whose changes the kernel does not see is an error at the beginning, and polled later")
    func fileSystem() throws {
        let error = #expect(throws: FileWatchError.self) { try WatchedFile("/proc/self/limits", by: faulty.hub) }
        #expect(error?.code == .fileSystem)
        #expect(error?.reason.summary.contains("proc") == true)
        let file = try watch()
        try folder.link("tmp", to: "/proc/self/limits")
        try folder.rename("tmp", to: "a.json")
        expectPolling(file, .fileSystem)
        try replace()
        try expectLive(file)
    }
}

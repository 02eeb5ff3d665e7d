import SessionMirror
import TestSupport
import Testing

@Suite("Stress test of sessions of files") struct FileTortureTests {
    @Test("Sessions agree with their files after concurrent edits, reads, subscriptions and closes")
    func concurrentUse() async throws {
        let folder = try TemporaryFolder()
        let violations = Received<String>()
        let edits = Countdown(600)
        let files = try (0..<3).map { try ContendedFile(folder, "twins-\($0).json", violations: violations) }
        let shortSessions = files.map { ShortSession(path: $0.path, violations: violations) }
        let write: @Sendable () -> Void = {
            edits.work { number in
                do { try files[number % files.count].edit(number) } catch { violations.add("\(error)") }
            }
        }
        let read: @Sendable () -> Void = {
            var readers = files.map { Reader($0.session, violations: violations) }
            edits.accompany { for index in readers.indices { readers[index].read() } }
        }
        let openAndClose: @Sendable () -> Void = {
            edits.accompany { for session in shortSessions { session.run() } }
        }
        let shell = try ShellWriter(files.map(\.path), rounds: edits.count / 20, in: folder)
        concurrently(
            write, write, read, openAndClose,
            { files[0].transientSubscriber.subscribeAndCancel(while: edits) },
            { edits.accompany { for file in files { file.useStatus() } } })
        let end = try shell.end()
        #expect(end == Program.Result(code: 0))

        for file in files { try file.writeLast() }
        for file in files { try await file.waitForLast() }
        #expect(violations.items == [])
    }
}

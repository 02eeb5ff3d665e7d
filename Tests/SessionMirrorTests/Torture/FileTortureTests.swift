import SessionMirror
import TestSupport
import Testing

@Suite("Torture of sessions of files") struct FileTortureTests {
    @Test("several writers, readers, subscribers and visitors: in the end everybody has what the file says")
    func twins() async throws {
        let folder = try TemporaryFolder()
        let complaints = Received<String>()
        let edits = Countdown(600)
        let files = try (0..<3).map { try TornFile(folder, "twins-\($0).json", complaints: complaints) }
        let shortSessions = files.map { ShortSession(path: $0.path, complaints: complaints) }
        let write: @Sendable () -> Void = {
            edits.work { number in
                do { try files[number % files.count].edit(number) } catch { complaints.add("\(error)") }
            }
        }
        let read: @Sendable () -> Void = {
            var readers = files.map { Reader($0.session, complaints: complaints) }
            edits.accompany { for index in readers.indices { readers[index].read() } }
        }
        let openAndClose: @Sendable () -> Void = {
            edits.accompany { for session in shortSessions { session.live() } }
        }
        let shell = try ShellWriter(files.map(\.path), rounds: edits.count / 20, in: folder)
        together(
            write, write, read, openAndClose,
            { files[0].visitor.visit(while: edits) },
            { edits.accompany { for file in files { file.ask() } } })
        let end = try shell.end()
        #expect(end == Program.Result(code: 0))

        for file in files { try file.writeLast() }
        for file in files { try await file.waitForLast() }
        #expect(complaints.items == [])
    }
}

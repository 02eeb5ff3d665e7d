import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Stress test of sessions that save") struct EverythingTortureTests {
    private let name = "board.json"

    @Test("All sessions and the file agree after concurrent use of every kind") func everything() async throws {
        let (folder, violations, endOfTest) = (try TemporaryFolder(), Received<String>(), EndOfTest())
        let path = folder.path(of: name)
        let writers = (0..<2).map { RandomFileWriter(folder: folder, name: name, number: $0, violations: violations) }
        let users = try ["one", "two", "three"].map { try SessionUser($0, of: path, violations: violations) }
        let shortLivedSessions = ShortLivedSessions(path, violations: violations)
        let asynchronous = Task { await users[0].useAsynchronously(until: endOfTest) }
        concurrently(
            { users[0].use(until: endOfTest) }, { users[1].use(until: endOfTest) }, { users[1].use(until: endOfTest) },
            { users[2].use(until: endOfTest) }, { users[0].read(until: endOfTest) },
            { users[1].subscribe(until: endOfTest) },
            { shortLivedSessions.openAndClose(until: endOfTest) }, { writers[0].write(until: endOfTest) },
            { writers[1].write(until: endOfTest) })
        await asynchronous.value

        let fixer = try ProblemFixer(users: users, shortLivedSessions: shortLivedSessions, writer: writers[0])
        try await eventually("all sessions and the file agree", within: .seconds(120)) { try fixer.fix() }
        let saves = users.map { $0.session.mirror.metrics.saves }
        print("concurrent use: saves \(saves), loads \(users.map { $0.session.mirror.metrics.loads })")
        for user in users { try user.session.closeBlocking() }
        #expect(try folder.read(name).contains("// the last word"))
        #expect(try JSON(parsing: folder.read(name)) == users[0].session.snapshot.json)
        #expect(violations.items == [])
        #expect(saves.allSatisfy { $0 > 0 })
        #expect(try folder.leftovers() == [])
        // A running load may still have the file open.
        try await eventually("all descriptors are closed") { try folder.openDescriptors() == 0 }
    }
}

import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Torture of sessions that save") struct EverythingTortureTests {
    private let name = "board.json"

    @Test("everything at once, on all sides: in the end all sessions and the file agree") func everything() async throws
    {
        let (folder, complaints, curfew) = (try TemporaryFolder(), Received<String>(), Curfew())
        let path = folder.path(of: name)
        let vandals = (0..<2).map { Vandal(folder: folder, name: name, number: $0, complaints: complaints) }
        let players = try ["one", "two", "three"].map { try Player($0, of: path, complaints: complaints) }
        let guests = Guests(path, complaints: complaints)
        let asynchronous = Task { await players[0].playAsynchronously(until: curfew) }
        together(
            { players[0].play(until: curfew) }, { players[1].play(until: curfew) }, { players[1].play(until: curfew) },
            { players[2].play(until: curfew) }, { players[0].read(until: curfew) },
            { players[1].listen(until: curfew) },
            { guests.comeAndGo(until: curfew) }, { vandals[0].write(until: curfew) },
            { vandals[1].write(until: curfew) })
        await asynchronous.value

        let sweeper = try Sweeper(players: players, guests: guests, vandal: vandals[0])
        try await eventually("all agree", within: .seconds(120)) { try sweeper.sweep() }
        let saves = players.map { $0.session.mirror.metrics.saves }
        print("everything at once: saves \(saves), looks \(players.map { $0.session.mirror.metrics.looks })")
        for player in players { try player.session.close() }
        #expect(try folder.read(name).contains("// the last word"))
        #expect(try JSON(parsing: folder.read(name)) == players[0].session.snapshot.json)
        #expect(complaints.items == [])
        #expect(saves.allSatisfy { $0 > 0 })
        #expect(try folder.leftOvers() == [])
        // A look that was under way may still have its file open.
        try await eventually("no descriptor is left") { try folder.openDescriptors() == 0 }
    }
}

import LosslessJSON
import SessionMirror
import TestSupport

/// The person who puts everything right after the torture, doing what the problems say.
final class Sweeper {
    private let players: [Player]
    /// Those who have not saved anything since.
    private var waiting: [Player]
    private let guests: Guests
    private let vandal: Vandal
    private var isSwept = false

    /// Writes the last word that is not a session's.
    init(players: [Player], guests: Guests, vandal: Vandal) throws {
        (self.players, waiting, self.guests, self.vandal) = (players, players, guests, vandal)
        try vandal.replace(by: "{\n  \"last\": 1 // the last word\n}\n")
    }

    /// Whether all sessions have saved once more, and they and the file agree.
    func sweep() throws -> Bool {
        if !isSwept {
            try save()
            isSwept = waiting.isEmpty && guests.areGone
        }
        guard isSwept, let values = try? JSON(parsing: vandal.folder.read(vandal.name)) else { return false }
        return players.allSatisfy { $0.agrees(with: values) }
    }

    /// What a writer began to write into a version that was replaced meanwhile, and never finished, nobody can merge; it is
    /// told where it lies, and that nothing is saved before it is gone.
    private func save() throws {
        do {
            try (waiting.last ?? players[0]).session.commitBlocking { $0.shared += 1 }
            _ = waiting.popLast()
        } catch let problem as Problem where problem.code == .stranded {
            for name in try vandal.folder.names() where problem.message.contains("/\(name): ") {
                try vandal.folder.remove(name)
            }
        } catch is Problem {}
    }
}

extension Player {
    fileprivate func agrees(with values: JSON) -> Bool {
        let status = session.mirror.status
        return status.content == .good && status.saving == .clean && session.snapshot.json == values
    }
}

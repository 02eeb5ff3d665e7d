import LosslessJSON
import SessionMirror

/// One of several sessions of a file, and whoever uses it: changes, saves, reads and listens in every way there is.
struct Player: Sendable {
    let session: Session<Board>
    private let name: String
    private let complaints: Received<String>

    init(_ name: String, of path: String, complaints: Received<String>) throws {
        session = try Session(Board(), at: path, options: Board.options)
        (self.name, self.complaints) = (name, complaints)
    }

    func play(until curfew: Curfew) {
        var number = 0
        while !curfew.isOver {
            number += 1
            tolerating { try change(number) }
        }
    }

    /// As services do that are asynchronous.
    func playAsynchronously(until curfew: Curfew) async {
        while !curfew.isOver {
            do {
                try session.update { $0.shared += 1 }
                try await session.commit { $0.counts[name, default: 0] += 1 }
                try await session.flush()
            } catch {
                complain(error)
            }
        }
    }

    private func change(_ number: Int) throws {
        switch Int.random(in: 0..<10) {
        case 0..<5: try session.update { $0.counts[name, default: 0] += 1 }
        case 5: try session.commitBlocking { $0.counts[name, default: 0] += 1 }
        case 6: try session.commitBlocking { $0.shared += 1 }
        case 7: try session.set(JSONPointer(["notes", name]), to: JSON(number))
        case 8: try session.set(JSONPointer(["notes", name]), to: nil)
        default: try session.flushBlocking()
        }
    }

    /// The file may hold nothing that can be used for the moment, and a note that is not there cannot be removed.
    private func tolerating(_ body: () throws -> Void) {
        do { try body() } catch { complain(error) }
    }

    private func complain(_ error: any Error) {
        if !(error is Problem || error is JSONEditError) { complaints.add("\(name): \(error)") }
    }
}

extension Player {
    func read(until curfew: Curfew) {
        var version = session.snapshot.version
        while !curfew.isOver {
            let snapshot = session.snapshot
            if snapshot.version < version { complaints.add("version \(snapshot.version) after \(version)") }
            version = snapshot.version
            if session.read({ $0.shared }) < 0 || session.shared < 0 { complaints.add("less than nothing") }
            if snapshot.json["counts"]?.object?.count ?? 0 != snapshot.value.counts.count {
                complaints.add("value and tree differ: \(snapshot.value), \(snapshot.json)")
            }
            _ = (session.mirror.status, session.mirror.metrics, session.mirror.lastSave)
        }
    }

    func listen(until curfew: Curfew) {
        var tokens: [Subscription] = []
        while !curfew.isOver {
            tokens += [
                session.observe(\.shared) { [complaints] in if $0.old == $0.new { complaints.add("no change: \($0)") }
                },
                session.observe("/counts") { [complaints] in if $0.old == $0.new { complaints.add("no change: \($0)") }
                },
                session.mirror.observe { _ in },
            ]
            session.mirror.reload()
            // Some are cancelled, some just let go, and some stay for a while.
            guard tokens.count > 30 else { continue }
            for token in tokens[..<10] { token.cancel() }
            tokens.removeFirst(20)
        }
    }
}

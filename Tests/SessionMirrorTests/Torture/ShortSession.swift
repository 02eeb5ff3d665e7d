import SessionMirror

/// A session of a file that others have sessions of too, soon closed again.
struct ShortSession {
    let path: String
    let complaints: Received<String>

    func live() {
        do {
            let session = try Session(Twins(0), at: path, check: Twins.check)
            let witness = Witness(complaints: complaints)
            let token = session.observe(\.self) { witness.heard($0) }
            var reader = Reader(session, complaints: complaints)
            for _ in 0..<20 { reader.read() }
            // The rest is closed by the last release.
            if session.first % 2 == 0 { try session.close() }
            withExtendedLifetime(token) {}
        } catch {
            complaints.add("\(error)")
        }
    }
}

import SessionMirror
import TestSupport

/// An additional session of a shared file, which is soon closed or released.
struct ShortSession {
    let path: String
    let violations: Received<String>

    func run() {
        do {
            let session = try Session(PairedValue(0), at: path, check: PairedValue.check)
            let checker = ConsistencyChecker(violations: violations)
            let token = session.observe(\.self) { checker.receive($0) }
            var reader = Reader(session, violations: violations)
            for _ in 0..<20 { reader.read() }
            // The other sessions are closed by releasing the last reference.
            if session.first % 2 == 0 { try session.closeBlocking() }
            withExtendedLifetime(token) {}
        } catch {
            violations.add("\(error)")
        }
    }
}

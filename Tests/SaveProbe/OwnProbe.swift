import FileScripts
import Glibc
import Locking
import LosslessJSON
import SessionMirror

/// A process that alone counts at its key, while somebody takes its counts back without knowing.
///
/// It says `committed` after its last commit and waits for a line. Then it stays for 2 s, in which what was taken back
/// is noticed, closes, and says how much of its counts it was told to be gone: `gone NUMBER`, with the history of its
/// counter before it.
final class OwnProbe: Sendable {
    private let session: Session<JSON>
    private let key: String
    private let history = Lock<[String]>([])
    private let gone = Lock(0)
    /// Reports of values that had to give way.
    private let told = Lock(0)

    init(path: String, key: String) throws {
        session = try Session(JSON.object([:]), at: path)
        self.key = key
    }

    func run(_ count: Int) throws {
        let token = session.mirror.observe { [weak self] report in
            if case .problem(let problem) = report { self?.heard(problem) }
        }
        for _ in 0..<count { try commit() }
        say("committed")
        waitForLine()
        usleep(2_000_000)
        try session.close()
        waitForReports()
        withExtendedLifetime(token) {
            for line in history.withLock({ $0.map(\.self) }) { say(line) }
            say("gone \(gone.withLock { $0 })")
        }
    }

    private func commit() throws {
        let key = key
        let (before, after) = try session.commitBlocking { values in
            let before = values[key]?.int ?? 0
            values[key] = JSON(before + 1)
            return (before, before + 1)
        }
        note("committed \(before) -> \(after)")
    }

    private func heard(_ problem: Problem) {
        guard let values = problem.values else { return note("\(problem)") }
        told.withLock { $0 += 1 }
        guard values.path == JSONPointer([key]) else { return }
        let (base, ours, theirs) = (values.base?.int ?? 0, values.ours?.int ?? 0, values.theirs?.int ?? 0)
        note("\(problem.code): base \(base), ours \(ours), theirs \(theirs)")
        if problem.code == .reverted { gone.withLock { $0 += ours - theirs } }
    }

    private func note(_ line: String) { history.withLock { $0.append(line) } }

    /// They are brought by threads of the library.
    private func waitForReports() {
        let all = session.mirror.metrics.conflicts
        for _ in 0..<20_000 where told.withLock({ $0 }) < all { usleep(1_000) }
        if told.withLock({ $0 }) != all { fail("\(told.withLock { $0 }) of \(all) reports came") }
    }
}

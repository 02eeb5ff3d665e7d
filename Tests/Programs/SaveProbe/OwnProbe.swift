import FileScripts
import Glibc
import Locking
import LosslessJSON
import SessionMirror

/// A process that increments a counter of its own, while another program reverts its counts with stale writes.
///
/// Prints `committed` after its last commit and waits for a line. Then keeps the session open for 2 s to detect
/// reverts, closes it, and prints the history of its counter and the sum of the reported reverts: `gone NUMBER`.
final class OwnProbe: Sendable {
    private let session: Session<JSON>
    private let key: String
    private let history = Lock<[String]>([])
    private let reverted = Lock(0)
    /// The number of conflict reports received.
    private let conflictReportCount = Lock(0)

    init(path: String, key: String) throws {
        session = try Session(JSON.object([:]), at: path)
        self.key = key
    }

    func run(_ count: Int) throws {
        let token = session.mirror.observe { [weak self] report in
            if case .problem(let problem) = report { self?.receive(problem) }
        }
        for _ in 0..<count { try commit() }
        say("committed")
        waitForLine()
        usleep(2_000_000)
        try session.closeBlocking()
        waitForReports()
        withExtendedLifetime(token) {
            for line in history.withLock({ $0.map(\.self) }) { say(line) }
            say("gone \(reverted.withLock { $0 })")
        }
    }

    private func commit() throws {
        let key = key
        let (before, after) = try session.commitBlocking { values in
            let before = values[key]?.int ?? 0
            values[key] = JSON(before + 1)
            return (before, before + 1)
        }
        record("committed \(before) -> \(after)")
    }

    private func receive(_ problem: SessionProblem) {
        guard let values = problem.code.values else { return record("\(problem)") }
        conflictReportCount.withLock { $0 += 1 }
        guard values.path == JSONPointer([key]) else { return }
        let (base, ours, theirs) = (values.base?.int ?? 0, values.ours?.int ?? 0, values.theirs?.int ?? 0)
        record("\(problem.code.name): base \(base), ours \(ours), theirs \(theirs)")
        if problem.code.name == "reverted" { reverted.withLock { $0 += ours - theirs } }
    }

    private func record(_ line: String) { history.withLock { $0.append(line) } }

    /// Waits for the library's threads to deliver the reports.
    private func waitForReports() {
        let all = session.mirror.metrics.conflicts
        for _ in 0..<20_000 where conflictReportCount.withLock({ $0 }) < all { usleep(1_000) }
        if conflictReportCount.withLock({ $0 }) != all {
            fail("\(conflictReportCount.withLock { $0 }) of \(all) reports were delivered")
        }
    }
}

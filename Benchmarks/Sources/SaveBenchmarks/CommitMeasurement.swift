import Foundation
import LosslessJSON
import ManualTiming
import SessionMirror

/// Measures commits: alternating with other ways to save the same bytes, from eight threads at once, and after many
/// earlier commits.
struct CommitMeasurement {
    let rounds: Int
    private static let threads = 8

    func run(into results: inout Results) throws {
        try compare(into: &results)
        try measureSharedCommits(into: &results)
        try measureSlowdown(into: &results)
    }

    /// Compares late commits with early ones: a session keeps a log of its writes, which must not slow down commits. In
    /// memory, because the time of a disk would hide the difference.
    private func measureSlowdown(into results: inout Results) throws {
        let folder = TemporaryFolder(in: "/dev/shm")
        let session = try Session(MediumRoot(), at: folder.path(of: "ours.json"))
        var times = (early: Times(), late: Times())
        let (commits, some) = (rounds * 25, rounds)
        for number in 0..<commits {
            let time = try time { try session.commitBlocking { $0.count += 1 } }
            if number < some { times.early.add(time) }
            if number >= commits - some { times.late.add(time) }
        }
        try session.closeBlocking()
        results.add("commit/after \(commits)", times.late)
        results.add("commit/after \(commits)", by: "the first", times.early)
    }

    private func compare(into results: inout Results) throws {
        let folder = TemporaryFolder()
        var options = SessionOptions()
        options.newFile = .allKeys
        let session = try Session(MediumRoot(), at: folder.path(of: "ours.json"), options: options)
        try session.commitBlocking { $0.count += 1 }
        let minimal = MinimalReplacement(path: folder.path(of: "least.json"))
        let unsynced = MinimalReplacement(path: folder.path(of: "unsynced.json"))
        let row = DatabaseRow(at: folder.path(of: "row.sqlite"))
        var times = (ours: Times(), minimal: Times(), database: Times(), unsynced: Times())
        for _ in 0..<rounds {
            times.ours.add(try time { try session.commitBlocking { $0.count += 1 } })
            // Different bytes each time: SQLite does not write what the row has already.
            let bytes = JSONPrinter().bytes(session.snapshot.json)
            times.minimal.add(time { minimal.replace(with: bytes, waits: true) })
            times.database.add(time { row.replace(with: bytes) })
            times.unsynced.add(time { unsynced.replace(with: bytes, waits: false) })
            // Pending writes must not slow down the next commit.
            sync()
        }
        try session.closeBlocking()
        results.add("commit/1KB", times.ours)
        results.add("commit/1KB", by: "bare minimum", times.minimal)
        results.add("commit/1KB", by: "SQLite", times.database)
        results.add("commit/1KB", by: "write, rename", times.unsynced)
    }

    /// Measures the time per commit, alternating between eight threads and one.
    private func measureSharedCommits(into results: inout Results) throws {
        let folder = TemporaryFolder()
        let session = try Session(MediumRoot(), at: folder.path(of: "ours.json"))
        var times = (shared: Times(), alone: Times())
        let commits = 200
        for _ in 0..<max(2, rounds / commits) {
            times.shared.add(time { commit(commits, by: Self.threads, session) } / commits)
            times.alone.add(time { commit(commits, by: 1, session) } / commits)
        }
        try session.closeBlocking()
        results.add("commit/8 threads", times.shared)
        results.add("commit/8 threads", by: "one thread", times.alone)
    }

    private func commit(_ count: Int, by threads: Int, _ session: Session<MediumRoot>) {
        let group = DispatchGroup()
        for _ in 0..<threads {
            let thread = Thread {
                for _ in 0..<count / threads {
                    do { try session.commitBlocking { $0.count += 1 } } catch { fail("\(error)") }
                }
                group.leave()
            }
            group.enter()
            thread.start()
        }
        group.wait()
    }

    private func time(_ work: () throws -> Void) rethrows -> Int {
        let begin = now()
        try work()
        return now() - begin
    }
}

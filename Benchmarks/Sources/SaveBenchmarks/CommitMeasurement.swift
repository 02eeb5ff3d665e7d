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
        let ways: [(name: String, save: ([UInt8]) throws -> Void)] = [
            ("ours", { _ in try session.commitBlocking { $0.count += 1 } }),
            ("bare minimum", { minimal.replace(with: $0, waits: true) }),
            ("SQLite", { row.replace(with: $0) }),
            ("write, rename", { unsynced.replace(with: $0, waits: false) }),
        ]
        var times = ways.map { _ in Times() }
        var root = MediumRoot()
        for round in 0..<rounds {
            // Different bytes each time: SQLite does not write what the row has already.
            root.count += 1
            let bytes = JSONPrinter().bytes(try JSONValueEncoder().encode(root))
            for index in ways.indices.rotated(by: round) {
                times[index].add(try time { try ways[index].save(bytes) })
            }
            // Pending writes must not slow down the next commit.
            sync()
        }
        try session.closeBlocking()
        for (way, times) in zip(ways, times) { results.add("commit/1KB", by: way.name, times) }
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

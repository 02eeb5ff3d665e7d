import Foundation
import HandTimed
import LosslessJSON
import SessionMirror

/// What a commit costs beside the bare minimum of a durable replacement of the same bytes, by turns; and how many threads
/// share one.
struct CommitMeasurement {
    let rounds: Int
    private static let threads = 8

    func run(into results: inout Results) throws {
        try compare(into: &results)
        try share(into: &results)
        try age(into: &results)
    }

    /// A session remembers what it has replaced: that must not make commits slower. In memory, since a disk would hide it.
    private func age(into results: inout Results) throws {
        let folder = Folder(in: "/dev/shm")
        let session = try Session(Middle(), at: folder.path(of: "ours.json"))
        var times = (young: Times(), old: Times())
        let (commits, some) = (rounds * 25, rounds)
        for number in 0..<commits {
            let time = try time { try session.commitBlocking { $0.count += 1 } }
            if number < some { times.young.add(time) }
            if number >= commits - some { times.old.add(time) }
        }
        try session.close()
        results.add("commit/after \(commits)", times.old)
        results.add("commit/after \(commits)", by: "the first", times.young)
    }

    private func compare(into results: inout Results) throws {
        let folder = Folder()
        var options = SessionOptions()
        options.newFile = .allKeys
        let session = try Session(Middle(), at: folder.path(of: "ours.json"), options: options)
        try session.commitBlocking { $0.count += 1 }
        let least = LeastReplacement(path: folder.path(of: "least.json"))
        let bytes = JSONPrinter().bytes(session.snapshot.json)
        var times = (ours: Times(), least: Times())
        for _ in 0..<rounds {
            times.ours.add(try time { try session.commitBlocking { $0.count += 1 } })
            times.least.add(time { least.replace(with: bytes, waits: true) })
        }
        try session.close()
        results.add("commit/1KB", times.ours)
        results.add("commit/1KB", by: "bare minimum", times.least)
    }

    /// The time for each commit, of eight threads together and of one alone, by turns.
    private func share(into results: inout Results) throws {
        let folder = Folder()
        let session = try Session(Middle(), at: folder.path(of: "ours.json"))
        var times = (shared: Times(), alone: Times())
        let commits = 200
        for _ in 0..<max(2, rounds / commits) {
            times.shared.add(time { commit(commits, by: Self.threads, session) } / commits)
            times.alone.add(time { commit(commits, by: 1, session) } / commits)
        }
        try session.close()
        results.add("commit/8 threads", times.shared)
        results.add("commit/8 threads", by: "one thread", times.alone)
    }

    private func commit(_ count: Int, by threads: Int, _ session: Session<Middle>) {
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

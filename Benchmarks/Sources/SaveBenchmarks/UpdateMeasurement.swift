import Glibc
import ManualTiming
import SessionMirror

/// Measures updates until they are visible to readers, while the session saves in the background: in batches, to amortize
/// the cost of reading the clock, and single ones after a rest, in which the caches are filled with other data and the
/// threads of the pool fall asleep.
struct UpdateMeasurement {
    let batches: Int
    private let size = 1_000

    func run(into results: inout Results) throws {
        results.add("update/100 B", try times(SmallRoot()) { $0.count += 1 })
        results.add("update/10 KB", try times(LargeRoot()) { $0.count += 1 })
        let folder = TemporaryFolder()
        let title = "update/100 B/after 50 ms"
        results.add(title, try timesAfterRests(Session(SmallRoot(), at: folder.path(of: "session.json"))))
        results.add(title, by: "in memory", try timesAfterRests(Session(inMemory: SmallRoot())))
    }

    private func timesAfterRests(_ session: Session<SmallRoot>) throws -> Times {
        var times = Times()
        for _ in 0..<batches / 5 {
            usleep(50_000)
            let begin = now()
            try session.update { $0.count += 1 }
            times.add(now() - begin)
        }
        try session.closeBlocking()
        return times
    }

    private func times<Root: Codable & Sendable>(_ root: Root, _ change: (inout Root) -> Void) throws -> Times {
        let folder = TemporaryFolder()
        let session = try Session(root, at: folder.path(of: "session.json"))
        var times = Times()
        for _ in 0..<batches {
            let begin = now()
            for _ in 0..<size { try session.update(change) }
            times.add((now() - begin) / size)
        }
        try session.closeBlocking()
        return times
    }
}

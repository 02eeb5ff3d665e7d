import ManualTiming
import SessionMirror

/// Measures updates until they are visible to readers, while the session saves in the background. Times batches, to
/// amortize the cost of reading the clock.
struct UpdateMeasurement {
    let batches: Int
    private let size = 1_000

    func run(into results: inout Results) throws {
        results.add("update/100 B", try times(SmallRoot()) { $0.count += 1 })
        results.add("update/10 KB", try times(LargeRoot()) { $0.count += 1 })
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

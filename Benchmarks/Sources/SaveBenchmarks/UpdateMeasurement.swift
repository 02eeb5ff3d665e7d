import HandTimed
import SessionMirror

/// What an update costs until readers see it, while the session saves beside it: batches, so that the clock is not what
/// is measured.
struct UpdateMeasurement {
    let batches: Int
    private let size = 1_000

    func run(into results: inout Results) throws {
        results.add("update/100 B", try times(Small()) { $0.count += 1 })
        results.add("update/10 KB", try times(Large()) { $0.count += 1 })
    }

    private func times<Root: Codable & Sendable>(_ root: Root, _ change: (inout Root) -> Void) throws -> Times {
        let folder = Folder()
        let session = try Session(root, at: folder.path(of: "session.json"))
        var times = Times()
        for _ in 0..<batches {
            let begin = now()
            for _ in 0..<size { try session.update(change) }
            times.add((now() - begin) / size)
        }
        try session.close()
        return times
    }
}

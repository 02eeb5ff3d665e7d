import Foundation
import HandTimed

/// All measurements, one after the other.
struct LatencyBenchmarks {
    /// The program that watches in the way of one's choice.
    let hubProbe: String
    let isShort: Bool

    func run() throws {
        let folder = try Folder()
        var results = Results()
        for document in isShort ? [Document.small] : [.small, .large] {
            try EditMeasurement(document: document, edits: isShort ? 200 : 1_000).run(in: folder, into: &results)
        }
        for folders in isShort ? [1] : [1, 100] {
            try CrowdMeasurement(sessions: 10_000, folders: folders, edits: isShort ? 100 : 500)
                .run(in: folder, into: &results)
        }
        try WatchMeasurement(hubProbe: hubProbe, edits: isShort ? 200 : 1_000).run(in: folder, into: &results)
        try WatchCrowdMeasurement(hubProbe: hubProbe, edits: isShort ? 100 : 500).run(in: folder, into: &results)
        try results.print()
    }
}

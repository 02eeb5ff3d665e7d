import Foundation
import ManualTiming

/// Runs all measurements in sequence.
struct LatencyBenchmarks {
    /// The path of the program WatchProbe, which watches with a chosen backend.
    let watchProbe: String
    let isShort: Bool

    func run() throws {
        let folder = TemporaryFolder(in: TemporaryFolder.memory)
        var results = Results()
        for (document, edits) in [(SettingsDocument.small, 1_000), (.large, 500), (.largest, 100)] {
            if isShort && document.name != SettingsDocument.small.name { continue }
            try EditMeasurement(document: document, edits: isShort ? 200 : edits).run(in: folder, into: &results)
        }
        for folders in isShort ? [1] : [1, 100] {
            try ManySessionsMeasurement(sessions: 10_000, folders: folders, edits: isShort ? 100 : 500)
                .run(in: folder, into: &results)
        }
        try SingleWatchMeasurement(watchProbe: watchProbe, edits: isShort ? 200 : 1_000).run(in: folder, into: &results)
        try ManyWatchesMeasurement(watchProbe: watchProbe, edits: isShort ? 100 : 500).run(in: folder, into: &results)
        try results.print()
    }
}

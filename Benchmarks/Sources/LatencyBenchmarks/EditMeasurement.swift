import Foundation
import ManualTiming

/// Measures edit to callback, alternating with a raw read of inotify events edit by edit; among many structs also what
/// decoding the whole text takes, which is in memory for that.
///
/// Each has its own directory, so that neither wakes the other, and begins every other time.
struct EditMeasurement {
    let document: SettingsDocument
    let edits: Int

    func run(in folder: TemporaryFolder, into results: inout Results) throws {
        let place = try folder.newFolder("edit \(document.name)")
        let ours = try WatchedFile(folder.newFolder("edit \(document.name)/ours"), document)
        let raw = try WatchedFile(folder.newFolder("edit \(document.name)/raw"), document)
        try PathList.write([ours.path], to: "\(place)/list")
        let session = try WatcherProcess(
            document.isLarge ? SessionWatcher.nameOfLarge : SessionWatcher.name, "\(place)/list")
        _ = session.line()
        let rawWatcher = try WatcherProcess(RawInotifyWatcher.name, raw.path)
        _ = rawWatcher.line()

        for interval in [EditInterval.immediate, .idle] {
            for edit in [EditMethod.write, .rename] {
                var (oursTimes, rawTimes) = (Times(), Times())
                for number in 0..<edits {
                    for isRaw in [number % 2 == 1, number % 2 == 0] {
                        if isRaw {
                            rawTimes.add(raw.edit(edit, interval, seenByRaw: rawWatcher))
                        } else {
                            oursTimes.add(ours.edit(edit, interval, seenBy: session))
                        }
                    }
                }
                let title = "edit to callback/\(document.name)/\(edit.rawValue)/\(interval.rawValue)"
                results.add(title, oursTimes, isPlotted: true)
                results.add(title, by: "raw inotify", rawTimes, isPlotted: true)
                if document.isLarge { results.add(title, by: "JSONDecoder", try decodingTimes()) }
            }
        }
    }

    private func decodingTimes() throws -> Times {
        let (text, decoder) = (Data(document.bytes(0)), JSONDecoder())
        var times = Times()
        for _ in 0..<20 {
            let begin = now()
            _ = try decoder.decode(SettingsDocument.Settings.self, from: text)
            times.add(now() - begin)
        }
        return times
    }
}

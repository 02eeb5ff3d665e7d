import Foundation
import ManualTiming

/// Measures edit to callback, alternating with raw reads of inotify events edit by edit; among many structs also what
/// decoding the whole text takes, which is in memory for that.
///
/// Each has its own directory, so that none wakes another, and follows every other one equally often.
struct EditMeasurement {
    let document: SettingsDocument
    let edits: Int

    private struct Watcher {
        let name: String
        let file: WatchedFile
        let process: WatcherProcess
        var times = Times()

        mutating func edit(_ method: EditMethod, _ interval: EditInterval) {
            times.add(
                name == "ours"
                    ? file.edit(method, interval, seenBy: process) : file.edit(method, interval, seenByRaw: process))
        }
    }

    func run(in folder: TemporaryFolder, into results: inout Results) throws {
        let idle = try watchers(in: folder)
        for interval in [EditInterval.immediate, .idle] {
            for method in [EditMethod.write, .rename] {
                var watchers = idle
                for number in 0..<edits {
                    for index in watchers.indices.permuted(by: number) { watchers[index].edit(method, interval) }
                }
                let title = "edit to callback/\(document.name)/\(method.rawValue)/\(interval.rawValue)"
                for watcher in watchers { results.add(title, by: watcher.name, watcher.times, isPlotted: true) }
                if document.isLarge { results.add(title, by: "JSONDecoder", try decodingTimes()) }
            }
        }
    }

    private func watchers(in folder: TemporaryFolder) throws -> [Watcher] {
        let place = try folder.newFolder("edit \(document.name)")
        func watcher(_ name: String, _ start: (WatchedFile) throws -> WatcherProcess) throws -> Watcher {
            let file = try WatchedFile(folder.newFolder("edit \(document.name)/\(name)"), document)
            let process = try start(file)
            _ = process.line()
            return Watcher(name: name, file: file, process: process)
        }
        return [
            try watcher("ours") { file in
                try PathList.write([file.path], to: "\(place)/list")
                return try WatcherProcess(
                    document.isLarge ? SessionWatcher.nameOfLarge : SessionWatcher.name, "\(place)/list")
            },
            try watcher("raw inotify") { try WatcherProcess(RawInotifyWatcher.name, $0.path) },
            try watcher("raw inotify with the file") { try WatcherProcess(RawInotifyWatcher.nameWithFile, $0.path) },
        ]
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

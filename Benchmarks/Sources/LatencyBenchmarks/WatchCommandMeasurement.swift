import ManualTiming

/// Measures edit to line: the time until a line of `sessionctl watch` has arrived in a pipe, alternating with the lines
/// of bare inotify readers, edit by edit; then those of other programs.
///
/// Each has its own directory, so that none wakes another, and follows every other one equally often.
struct WatchCommandMeasurement {
    let sessionctl: String
    /// The path of inotifywait, if it is installed.
    let inotifywait: String?
    /// The path of a Python interpreter that has the package watchfiles.
    let watchfiles: String?
    let edits: Int

    private struct LineSource {
        let name: String
        let file: WatchedFile
        let process: WatcherProcess
        let expected: WatchedFile.Line
        /// The number of edits to measure; nil for all.
        var limit: Int?
        var times = Times()
    }

    func run() throws {
        let folder = TemporaryFolder(in: TemporaryFolder.memory)
        let document = SettingsDocument.small
        var results = Results()
        // The others afterwards: each program that runs in between leaves less in the caches.
        for sources in [try ours(in: folder), try others(in: folder)] { measure(sources, document, into: &results) }
        try results.print()
    }

    private func measure(_ sources: [LineSource], _ document: SettingsDocument, into results: inout Results) {
        for (interval, edits) in [(EditInterval.immediate, edits), (.idle, edits), (.long, edits / 5)] {
            for edit in [EditMethod.write, .rename] {
                var sources = sources
                for number in 0..<edits {
                    for index in sources.indices.permuted(by: number) {
                        let source = sources[index]
                        if let limit = source.limit, number % (edits / limit) != 0 { continue }
                        sources[index].times.add(
                            source.file.edit(edit, interval, printedBy: source.process, source.expected))
                    }
                }
                let title = "edit to line/\(document.name)/\(edit.rawValue)/\(interval.rawValue)"
                for source in sources { results.add(title, by: source.name, source.times) }
            }
        }
    }

    private func ours(in folder: TemporaryFolder) throws -> [LineSource] {
        [
            try source("ours", in: folder, .changedNumber) { try WatcherProcess(program: sessionctl, ["watch", $0]) },
            try source("raw inotify", in: folder, .any) { try WatcherProcess(RawInotifyWatcher.name, $0) },
            try source("raw inotify with the file", in: folder, .any) {
                try WatcherProcess(RawInotifyWatcher.nameWithFile, $0)
            },
        ]
    }

    private func others(in folder: TemporaryFolder) throws -> [LineSource] {
        var sources: [LineSource] = []
        if let inotifywait {
            sources.append(
                try source("inotifywait", in: folder, .fileName) { path in
                    // Its messages, the second of which says that it watches, come before its lines.
                    let command = "exec \"$0\" -m -e close_write -e moved_to --format %f \"${1%/*}\" 2>&1"
                    let process = try WatcherProcess(program: "/bin/sh", ["-c", command, inotifywait, path])
                    _ = process.line()
                    return process
                })
        }
        if let watchfiles {
            // It reports no change before 50 ms without another one.
            var source = try source("watchfiles", in: folder, .any) {
                try WatcherProcess(program: watchfiles, ["watchfiles_lines.py", $0])
            }
            source.limit = 10
            sources.append(source)
        }
        return sources
    }

    /// Waits for the line by which a program says that it watches.
    private func source(
        _ name: String, in folder: TemporaryFolder, _ expected: WatchedFile.Line,
        _ start: (String) throws -> WatcherProcess
    ) throws -> LineSource {
        let file = try WatchedFile(folder.newFolder(name), .small)
        let process = try start(file.path)
        _ = process.line()
        return LineSource(name: name, file: file, process: process, expected: expected)
    }
}

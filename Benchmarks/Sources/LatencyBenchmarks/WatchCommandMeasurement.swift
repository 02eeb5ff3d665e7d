import ManualTiming

/// Measures edit to line: the time until a line of `sessionctl watch` has arrived in a pipe, alternating with the line of
/// a process that reads raw inotify events, edit by edit.
///
/// Each has its own directory, so that neither wakes the other.
struct WatchCommandMeasurement {
    let sessionctl: String
    let edits: Int

    func run() throws {
        let folder = TemporaryFolder(in: TemporaryFolder.memory)
        let document = SettingsDocument.small
        let ours = try WatchedFile(folder.newFolder("ours"), document)
        let raw = try WatchedFile(folder.newFolder("raw"), document)
        let command = try WatcherProcess(program: sessionctl, ["watch", ours.path])
        _ = command.line()
        let rawWatcher = try WatcherProcess(RawInotifyWatcher.name, raw.path)
        _ = rawWatcher.line()

        var results = Results()
        for (interval, edits) in [(EditInterval.immediate, edits), (.idle, edits), (.long, edits / 5)] {
            for edit in [EditMethod.write, .rename] {
                var (oursTimes, rawTimes) = (Times(), Times())
                for _ in 0..<edits {
                    oursTimes.add(ours.edit(edit, interval, printedBy: command))
                    rawTimes.add(raw.edit(edit, interval, printedByRaw: rawWatcher))
                }
                let title = "edit to line/\(document.name)/\(edit.rawValue)/\(interval.rawValue)"
                results.add(title, oursTimes)
                results.add(title, by: "raw inotify", rawTimes)
            }
        }
        try results.print()
    }
}

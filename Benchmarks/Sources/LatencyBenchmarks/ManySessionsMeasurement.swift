import ManualTiming

/// Measures many sessions in one process: opening them, compared with only reading as many files; and edits,
/// alternating with those of a process with one session, which begins every other time.
struct ManySessionsMeasurement {
    let sessions: Int
    let folders: Int
    let edits: Int

    private var title: String { "\(sessions) sessions, \(folders == 1 ? "one folder" : "\(folders) folders")" }

    func run(in folder: TemporaryFolder, into results: inout Results) throws {
        let place = try folder.newFolder(title)
        let files = try (0..<sessions).map { number in
            WatchedFile(try folder.newFolder("\(title)/\(number % folders)"), named: "tenant \(number)", .tiny)
        }
        let single = WatchedFile(try folder.newFolder("\(title)/single"), .tiny)
        try PathList.write(files.map(\.path), to: "\(place)/list")
        try PathList.write([single.path], to: "\(place)/single list")

        for _ in 0..<2 {
            for (implementation, name) in [("ours", SessionWatcher.name), ("plain reading", PlainReader.name)] {
                let opening = try WatcherProcess(name, "\(place)/list").numbers()
                results.add("open/\(title)", by: implementation, nanoseconds: opening[0], bytes: opening[1])
            }
        }
        let manySessions = try WatcherProcess(SessionWatcher.name, "\(place)/list")
        let oneSession = try WatcherProcess(SessionWatcher.name, "\(place)/single list")
        _ = (manySessions.line(), oneSession.line())
        var (manyTimes, oneTimes) = (Times(), Times())
        for number in 0..<edits {
            for isOne in [number % 2 == 1, number % 2 == 0] {
                if isOne {
                    oneTimes.add(single.edit(.rename, seenBy: oneSession))
                } else {
                    manyTimes.add(files[number * 7_919 % sessions].edit(.rename, seenBy: manySessions))
                }
            }
        }
        results.add("edit to callback/\(title)", manyTimes)
        results.add("edit to callback/\(title)", by: "one session", oneTimes)
    }
}

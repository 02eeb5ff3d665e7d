import HandTimed

/// Many sessions in one process: opening them beside what every program must do to read as many files, and edits beside
/// those of a process with one session, in turns.
struct CrowdMeasurement {
    let sessions: Int
    let folders: Int
    let edits: Int

    private var title: String { "\(sessions) sessions, \(folders == 1 ? "one folder" : "\(folders) folders")" }

    func run(in folder: Folder, into results: inout Results) throws {
        let place = try folder.newFolder(title)
        let files = try (0..<sessions).map { number in
            WatchedFile(try folder.newFolder("\(title)/\(number % folders)"), named: "tenant \(number)", .tiny)
        }
        let single = WatchedFile(try folder.newFolder("\(title)/single"), .tiny)
        try PathList.write(files.map(\.path), to: "\(place)/list")
        try PathList.write([single.path], to: "\(place)/single list")

        for _ in 0..<2 {
            for (contender, name) in [("ours", SessionHost.name), ("plain reading", PlainHost.name)] {
                let opening = try Host(name, "\(place)/list").numbers()
                results.add("open/\(title)", by: contender, nanoseconds: opening[0], bytes: opening[1])
            }
        }
        let crowd = try Host(SessionHost.name, "\(place)/list")
        let lonely = try Host(SessionHost.name, "\(place)/single list")
        _ = (crowd.line(), lonely.line())
        var (crowdTimes, lonelyTimes) = (Times(), Times())
        for number in 0..<edits {
            crowdTimes.add(files[number * 7_919 % sessions].edit(.rename, seenBy: crowd))
            lonelyTimes.add(single.edit(.rename, seenBy: lonely))
        }
        results.add("edit to callback/\(title)", crowdTimes)
        results.add("edit to callback/\(title)", by: "one session", lonelyTimes)
    }
}

import HandTimed

/// Edit to callback, beside a raw read of the kernel's events, edit by edit in turns.
///
/// The two have a folder each, so that neither wakes the other.
struct EditMeasurement {
    let document: Document
    let edits: Int

    func run(in folder: Folder, into results: inout Results) throws {
        let place = try folder.newFolder("edit \(document.name)")
        let ours = try WatchedFile(folder.newFolder("edit \(document.name)/ours"), document)
        let raw = try WatchedFile(folder.newFolder("edit \(document.name)/raw"), document)
        try PathList.write([ours.path], to: "\(place)/list")
        let session = try Host(SessionHost.name, "\(place)/list")
        _ = session.line()
        let rawHost = try Host(RawHost.name, raw.path)
        _ = rawHost.line()

        for pace in [Pace.atOnce, .rested] {
            for edit in [Edit.write, .rename] {
                var (oursTimes, rawTimes) = (Times(), Times())
                for _ in 0..<edits {
                    oursTimes.add(ours.edit(edit, pace, seenBy: session))
                    rawTimes.add(raw.edit(edit, pace, seenByRaw: rawHost))
                }
                let title = "edit to callback/\(document.name)/\(edit.rawValue)/\(pace.rawValue)"
                results.add(title, oursTimes)
                results.add(title, by: "raw inotify", rawTimes)
            }
        }
    }
}

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

        for edit in Edit.allCases {
            var (oursTimes, rawTimes) = (Times(), Times())
            for _ in 0..<edits {
                oursTimes.add(ours.edit(edit, seenBy: session))
                rawTimes.add(raw.edit(edit, seenByRaw: rawHost))
            }
            results.add("edit to callback/\(document.name)/\(edit.rawValue)", oursTimes)
            results.add("edit to callback/\(document.name)/\(edit.rawValue)", by: "raw inotify", rawTimes)
        }
    }
}

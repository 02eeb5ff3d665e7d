import HandTimed

/// Ten thousand watches in one process: what it takes to begin them, and edits beside those of a process with one watch,
/// in turns.
struct WatchCrowdMeasurement {
    let hubProbe: String
    let edits: Int

    private static let files = 10_000
    private static let folders = 100
    private var title: String { "\(Self.files) files, \(Self.folders) folders" }

    func run(in folder: Folder, into results: inout Results) throws {
        let place = try folder.newFolder("watches")
        let files = try (0..<Self.files).map { number in
            WatchedFile(try folder.newFolder("watches/\(number % Self.folders)"), named: "tenant \(number)", .tiny)
        }
        let single = WatchedFile(try folder.newFolder("watches/single"), .tiny)
        try PathList.write(files.map(\.path), to: "\(place)/list")
        try PathList.write([single.path], to: "\(place)/single list")

        let crowd = try HubProbe(hubProbe, "automatic", "\(place)/list")
        let lonely = try HubProbe(hubProbe, "automatic", "\(place)/single list")
        results.add(
            "watch/\(title)", nanoseconds: crowd.arming.nanoseconds,
            bytes: crowd.arming.residentBytes / (Self.files - 1),
            allocatedBytes: crowd.arming.allocatedBytes / (Self.files - 1))
        for edit in [Edit.overwrite, .rename] {
            var (crowdTimes, lonelyTimes) = (Times(), Times())
            for number in 0..<edits {
                crowdTimes.add(files[number * 7_919 % Self.files].edit(edit, .rested, seenBy: crowd))
                lonelyTimes.add(single.edit(edit, .rested, seenBy: lonely))
            }
            results.add("edit to handler/\(edit.rawValue)/\(title)", crowdTimes)
            results.add("edit to handler/\(edit.rawValue)/\(title)", by: "one file", lonelyTimes)
        }
    }
}

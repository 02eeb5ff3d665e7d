import ManualTiming

/// Measures 10,000 watches in one process: starting them, and edits, alternating with those of a process with one
/// watch, which begins every other time.
struct ManyWatchesMeasurement {
    let watchProbe: String
    let edits: Int

    private static let files = 10_000
    private static let folders = 100
    private var title: String { "\(Self.files) files, \(Self.folders) folders" }

    func run(in folder: TemporaryFolder, into results: inout Results) throws {
        let place = try folder.newFolder("watches")
        let files = try (0..<Self.files).map { number in
            WatchedFile(try folder.newFolder("watches/\(number % Self.folders)"), named: "tenant \(number)", .tiny)
        }
        let single = WatchedFile(try folder.newFolder("watches/single"), .tiny)
        try PathList.write(files.map(\.path), to: "\(place)/list")
        try PathList.write([single.path], to: "\(place)/single list")

        let manyWatches = try WatchProbeProcess(watchProbe, "automatic", "\(place)/list")
        let oneWatch = try WatchProbeProcess(watchProbe, "automatic", "\(place)/single list")
        results.add(
            "watch/\(title)", nanoseconds: manyWatches.watchCost.nanoseconds,
            bytes: manyWatches.watchCost.residentBytes / (Self.files - 1),
            allocatedBytes: manyWatches.watchCost.allocatedBytes / (Self.files - 1))
        for edit in [EditMethod.overwrite, .rename] {
            var (manyTimes, oneTimes) = (Times(), Times())
            for number in 0..<edits {
                for isOne in [number % 2 == 1, number % 2 == 0] {
                    if isOne {
                        oneTimes.add(single.edit(edit, .idle, seenBy: oneWatch))
                    } else {
                        manyTimes.add(files[number * 7_919 % Self.files].edit(edit, .idle, seenBy: manyWatches))
                    }
                }
            }
            results.add("edit to handler/\(edit.rawValue)/\(title)", manyTimes)
            results.add("edit to handler/\(edit.rawValue)/\(title)", by: "one file", oneTimes)
        }
    }
}

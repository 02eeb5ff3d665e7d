import HandTimed

/// Edit to handler: one file watched by libinotifytools and by the kernel's interface, beside a raw read of the kernel's
/// events, edit by edit in turns.
///
/// Each has a folder and a process of its own, so that none wakes another. All ask the kernel for the same news: what
/// counts is the first that the edit causes.
struct WatchMeasurement {
    let hubProbe: String
    let edits: Int

    private static let ways = [("ours", "inotifyTools"), ("kernelInotify", "kernelInotify"), ("raw inotify", "raw")]
    /// Every one follows every other equally often: what it leaves to do may disturb the next.
    private static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

    private struct Contender {
        let name: String
        let file: WatchedFile
        let probe: HubProbe
    }

    func run(in folder: Folder, into results: inout Results) throws {
        let contenders = try Self.ways.map { try contender($0.0, $0.1, in: folder) }
        for pace in [Pace.soon, .rested] {
            for edit in [Edit.overwrite, .rename] {
                var times = contenders.map { _ in Times() }
                for number in 0..<edits {
                    for place in Self.orders[number % Self.orders.count] {
                        let contender = contenders[place]
                        times[place].add(contender.file.edit(edit, pace, seenBy: contender.probe))
                    }
                }
                let title = "edit to handler/\(edit.rawValue)/\(pace.rawValue)"
                for (contender, times) in zip(contenders, times) {
                    results.add(title, by: contender.name, times, isPlotted: true)
                }
            }
        }
    }

    private func contender(_ name: String, _ way: String, in folder: Folder) throws -> Contender {
        let place = try folder.newFolder("watch \(way)")
        let file = WatchedFile(place, .small)
        try PathList.write([file.path], to: "\(place)/list")
        return Contender(name: name, file: file, probe: try HubProbe(hubProbe, way, "\(place)/list"))
    }
}

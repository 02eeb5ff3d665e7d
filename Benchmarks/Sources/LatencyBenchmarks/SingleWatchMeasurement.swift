import ManualTiming

/// Measures edit to handler for one file: libinotifytools, the kernel's inotify, and a raw read of inotify events,
/// alternating edit by edit in every order.
///
/// Each has its own directory and process, so that none wakes another. All subscribe to the same events; the first
/// event of an edit counts.
struct SingleWatchMeasurement {
    let watchProbe: String
    let edits: Int

    private static let backends = [
        ("ours", "inotifyTools"), ("kernelInotify", "kernelInotify"), ("raw inotify", "raw"),
    ]

    private struct WatchVariant {
        let name: String
        let file: WatchedFile
        let probe: WatchProbeProcess
    }

    func run(in folder: TemporaryFolder, into results: inout Results) throws {
        let variants = try Self.backends.map { try variant($0.0, $0.1, in: folder) }
        for interval in [EditInterval.short, .idle] {
            for edit in [EditMethod.overwrite, .rename] {
                var times = variants.map { _ in Times() }
                for number in 0..<edits {
                    for index in variants.indices.permuted(by: number) {
                        let variant = variants[index]
                        times[index].add(variant.file.edit(edit, interval, seenBy: variant.probe))
                    }
                }
                let title = "edit to handler/\(edit.rawValue)/\(interval.rawValue)"
                for (variant, times) in zip(variants, times) {
                    results.add(title, by: variant.name, times, isPlotted: true)
                }
            }
        }
    }

    private func variant(_ name: String, _ backend: String, in folder: TemporaryFolder) throws -> WatchVariant {
        let place = try folder.newFolder("watch \(backend)")
        let file = WatchedFile(place, .small)
        try PathList.write([file.path], to: "\(place)/list")
        return WatchVariant(name: name, file: file, probe: try WatchProbeProcess(watchProbe, backend, "\(place)/list"))
    }
}

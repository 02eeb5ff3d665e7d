internal import Locking

/// Looks at paths from time to time, where the kernel does not tell of every change.
final class Polling: PathBackend {
    private let looker: Looker
    private var paths: Set<PathID> = []

    /// - Parameters:
    ///   - interval: How long it rests between two looks, in nanoseconds.
    ///   - announce: Called on another thread when there is something to collect.
    init(interval: Int64, announce: @escaping @Sendable () -> Void) {
        looker = Looker(interval: interval, announce: announce)
    }

    let kind = FileWatchBackend.polling
    let detour: FileWatchReason? = nil
    let descriptor: Int32 = -1
    let deadline: Moment? = nil
    let load = BackendLoad()
    var areMountsDoubtful = false
    var hasMore: Bool { !paths.isEmpty && looker.hasNews }

    var count: Int { paths.count }
    func polls(_ path: PathID) -> Bool { paths.contains(path) }

    func collect(into batch: inout Batch) {
        guard !paths.isEmpty else { return }
        for path in looker.takeNews() { batch.touch(path, isDirect: true, needsArming: true) }
    }

    func follow(_ path: PathID, _ text: String) -> Following {
        let isNew = paths.insert(path).inserted
        let error = looker.insert(path, text)
        guard error == 0 else {
            return Following(
                isNew: isNew, trouble: .system(SystemError(number: error), "no thread can be begun to look at it"))
        }
        return Following(isNew: isNew)
    }

    func forget(_ path: PathID) {
        if paths.remove(path) != nil { looker.remove(path) }
    }

    /// What was mounted shows with the next look.
    func mountsChanged(at places: [[UInt8]], _ table: MountTable, in batch: inout Batch) {}

    func startOver(isLost: Bool) -> FileWatchReason? { nil }

    func settle(_ now: Moment) {}

    func stop() { looker.removeAll() }
}

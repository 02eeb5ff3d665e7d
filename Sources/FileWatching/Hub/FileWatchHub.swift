internal import Locking

/// A hub of one's own that watches in one way, whatever serves best: for tests and measurements that compare the ways.
///
/// There may be one by libinotifytools in a process that has no other watches.
package struct FileWatchHub: Sendable {
    private let hub: Hub
    private let method: FileWatchMethod

    /// - Parameters:
    ///   - backend: How it watches.
    ///   - interval: How long it rests between two looks at what is polled.
    ///   - witness: Is told of every event of inotify.
    package init(
        _ backend: FileWatchBackend, interval: Duration = .seconds(1),
        witness: (@Sendable (FileWatchEvent) -> Void)? = nil
    ) {
        let nanoseconds = interval / .nanoseconds(1)
        method = backend == .polling ? .polling : .automatic
        hub = Hub(interval: Int64(nanoseconds)) {
            switch (backend, witness) {
            #if InotifyTools
            case (.inotifyTools, nil): InotifyBackend(InotifyTools())
            case (.inotifyTools, let witness?): InotifyBackend(WitnessedInotify(InotifyTools(), witness))
            #endif
            case (_, nil): InotifyBackend(KernelInotify())
            case (_, let witness?): InotifyBackend(WitnessedInotify(KernelInotify(), witness))
            }
        }
    }

    package func watch(
        _ path: String, handler: @escaping @Sendable (FileWatchSignal) -> Void
    ) throws(FileWatchError) -> FileWatch {
        try FileWatch(path, method: method, by: hub, handler: handler)
    }

    package var statistics: FileWatchingStatistics { hub.statistics }
}

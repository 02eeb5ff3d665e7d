internal import Glibc

/// One inotify event in readable form.
package struct FileWatchEvent: Sendable, Hashable {
    /// The path of the watched directory or file when its watch began.
    package let path: String
    /// Whether the watched inode is a file.
    package let isFile: Bool
    /// The entry of the directory; nil for an event of the watched inode itself.
    package let name: String?
    /// The kinds, named as in inotify(7) without `IN_`: `MODIFY`, `CLOSE_WRITE`.
    package let kinds: [String]
}

/// Wraps another inotify and passes all of its events to an observer as well.
final class RecordingInotify<Implementation: Inotify>: Inotify {
    private let inotify: Implementation
    private let observer: @Sendable (FileWatchEvent) -> Void
    private var watched: [WatchDescriptor: (path: String, isFile: Bool)] = [:]

    init(_ inotify: Implementation, _ observer: @escaping @Sendable (FileWatchEvent) -> Void) {
        (self.inotify, self.observer) = (inotify, observer)
    }

    var backend: FileWatchBackend { inotify.backend }
    var descriptor: Int32 { inotify.descriptor }
    var staleRecords: Int { inotify.staleRecords }
    var hasTooManyStaleRecords: Bool { inotify.hasTooManyStaleRecords }

    func start() throws(FileWatchReason) { try inotify.start() }

    func stop() {
        inotify.stop()
        watched = [:]
    }

    func descriptorLost() {
        inotify.descriptorLost()
        watched = [:]
    }

    func add(
        _ name: FileName?, in directory: ResolvedDirectory, _ mask: InotifyMask
    ) -> Result<WatchDescriptor, SystemError> {
        let result = inotify.add(name, in: directory, mask)
        if case .success(let watch) = result {
            let path = name.map { String(decoding: directory.path(of: $0).dropLast(), as: UTF8.self) }
            watched[watch] = (path ?? directory.description, name != nil)
        }
        return result
    }

    func watches(ofInodesNumbered number: UInt64) -> [WatchDescriptor] { inotify.watches(ofInodesNumbered: number) }

    func remove(_ watch: WatchDescriptor, of inode: Inode, _ events: inout [InotifyEvent]) -> Bool {
        let known = events.count
        defer { report(events[known...]) }
        return inotify.remove(watch, of: inode, &events)
    }

    func removeNow(_ watch: WatchDescriptor) { inotify.removeNow(watch) }

    func collect(_ limit: Int, _ events: inout [InotifyEvent]) -> Bool {
        let known = events.count
        defer { report(events[known...]) }
        return inotify.collect(limit, &events)
    }

    private func report(_ events: ArraySlice<InotifyEvent>) {
        for event in events {
            let (path, isFile) = watched[event.watch] ?? ("", false)
            observer(
                FileWatchEvent(path: path, isFile: isFile, name: event.name?.description, kinds: event.mask.names))
            // The kernel does not reuse the number, so the entry would remain forever.
            if event.mask.contains(.ignored) { watched[event.watch] = nil }
        }
    }
}

extension InotifyMask {
    /// The names of the kinds in the mask.
    var names: [String] { Self.kinds.filter { contains($0.mask) }.map(\.name) }

    private static let kinds: [(name: String, mask: InotifyMask)] = [
        ("MODIFY", .modified), ("CLOSE_WRITE", .closedByWriter), ("ATTRIB", .attributes),
        ("CREATE", InotifyMask(rawValue: UInt32(IN_CREATE))), ("DELETE", InotifyMask(rawValue: UInt32(IN_DELETE))),
        ("MOVED_FROM", InotifyMask(rawValue: UInt32(IN_MOVED_FROM))),
        ("MOVED_TO", InotifyMask(rawValue: UInt32(IN_MOVED_TO))),
        ("DELETE_SELF", InotifyMask(rawValue: UInt32(IN_DELETE_SELF))),
        ("MOVE_SELF", InotifyMask(rawValue: UInt32(IN_MOVE_SELF))),
        ("UNMOUNT", InotifyMask(rawValue: UInt32(IN_UNMOUNT))), ("IGNORED", .ignored), ("Q_OVERFLOW", .overflow),
    ]
}

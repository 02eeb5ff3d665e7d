internal import Glibc

/// One event of inotify, with the names that it has for people.
package struct FileWatchEvent: Sendable, Hashable {
    /// What is watched: a directory, or a file by its inode, as it was called when its watch began.
    package let path: String
    /// Whether that is a file.
    package let isFile: Bool
    /// The entry of the directory; nil when the watched thing itself is meant.
    package let name: String?
    /// As in inotify(7), without `IN_`: `MODIFY`, `CLOSE_WRITE`.
    package let kinds: [String]
}

/// Another inotify, all events of which are told to a witness too.
struct WitnessedInotify<Kernel: Inotify>: Inotify {
    private var kernel: Kernel
    private let witness: @Sendable (FileWatchEvent) -> Void
    private var watched: [Watch: (path: String, isFile: Bool)] = [:]

    init(_ kernel: Kernel, _ witness: @escaping @Sendable (FileWatchEvent) -> Void) {
        (self.kernel, self.witness) = (kernel, witness)
    }

    var backend: FileWatchBackend { kernel.backend }
    var descriptor: Int32 { kernel.descriptor }
    var staleRecords: Int { kernel.staleRecords }
    var isCrowded: Bool { kernel.isCrowded }

    mutating func start() throws(FileWatchReason) { try kernel.start() }

    mutating func stop() {
        kernel.stop()
        watched = [:]
    }

    mutating func lost() {
        kernel.lost()
        watched = [:]
    }

    mutating func add(_ name: FileName?, in directory: Directory, _ mask: InotifyMask) -> Result<Watch, SystemError> {
        let result = kernel.add(name, in: directory, mask)
        if case .success(let watch) = result {
            let path = name.map { String(decoding: directory.path(of: $0).dropLast(), as: UTF8.self) }
            watched[watch] = (path ?? directory.description, name != nil)
        }
        return result
    }

    func watches(ofInodesNumbered number: UInt64) -> [Watch] { kernel.watches(ofInodesNumbered: number) }

    mutating func remove(_ watch: Watch, of inode: Inode, _ events: inout [InotifyEvent]) -> Bool {
        let known = events.count
        defer { tell(events[known...]) }
        return kernel.remove(watch, of: inode, &events)
    }

    mutating func removeAtOnce(_ watch: Watch) { kernel.removeAtOnce(watch) }

    mutating func collect(_ limit: Int, _ events: inout [InotifyEvent]) -> Bool {
        let known = events.count
        defer { tell(events[known...]) }
        return kernel.collect(limit, &events)
    }

    private mutating func tell(_ events: ArraySlice<InotifyEvent>) {
        for event in events {
            let (path, isFile) = watched[event.watch] ?? ("", false)
            witness(
                FileWatchEvent(path: path, isFile: isFile, name: event.name?.description, kinds: event.mask.names))
            // The kernel does not use the number again; a year of replacements would be kept.
            if event.mask.contains(.ignored) { watched[event.watch] = nil }
        }
    }
}

extension InotifyMask {
    /// The kinds of events in it.
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

import Glibc
import LosslessJSON
import SessionMirror
import VisibleText

/// The files of the `watch` command: those that are named, and those of directories, where more may appear.
struct WatchedFiles {
    private let request: WatchRequest
    private let queue: EventQueue
    var all: [WatchedFile] = []
    private var directories: [WatchedDirectory] = []
    private var names: Set<String> = []

    /// Opens all of them. Their events are added to the queue after ``subscribe()``. A directory must be readable at the
    /// beginning only.
    init(_ request: WatchRequest, _ queue: EventQueue) throws(Failure) {
        (self.request, self.queue) = (request, queue)
        for name in request.files { try open(name, isNew: false) }
        for (index, name) in request.directories.enumerated() {
            let directory = try WatchedDirectory(name, isPolled: request.isPolled) { [queue] in
                queue.add(.directory, of: index)
            }
            guard let found = directory.files() else { throw .systemError(name.visible, errorNumber: errno) }
            directories.append(directory)
            for name in found where !names.contains(name) { try open(name, isNew: false) }
        }
    }

    private mutating func open(_ name: String, isNew: Bool) throws(Failure) {
        names.insert(name)
        all.append(try WatchedFile(name, request, isNew: isNew))
    }

    mutating func subscribe() {
        for index in all.indices { all[index].subscribe(queue, as: index) }
    }

    func cancel() { for file in all { file.cancel() } }

    /// Opens the files that have appeared in directories since the last time, and subscribes to them.
    mutating func openNew() throws(Failure) -> ArraySlice<WatchedFile> {
        let count = all.count
        for directory in directories {
            for name in directory.files() ?? [] where !names.contains(name) {
                try open(name, isNew: true)
                all[all.count - 1].subscribe(queue, as: all.count - 1)
            }
        }
        return all[count...]
    }

    /// Readable when files may have appeared.
    var descriptors: [Int32] { directories.map(\.descriptor) }

    /// Whether the kernel has reported that files may have appeared.
    var mayHaveMore: Bool {
        if directories.isEmpty { return false }
        var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        return poll(&requests, nfds_t(requests.count), 0) > 0
    }

    /// When to look for new files at the latest; nil if the kernel reports them.
    var pollTime: ContinuousClock.Instant? { directories.contains(where: \.isPolled) ? .now + .seconds(1) : nil }
}

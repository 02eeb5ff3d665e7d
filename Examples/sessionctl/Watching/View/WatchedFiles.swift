import Glibc
import LosslessJSON
import SessionMirror
import VisibleText

/// The files of a view: those that are named, and those of directories, where more may appear.
struct WatchedFiles {
    private let request: WatchRequest
    private let queue: EventQueue
    private(set) var all: [WatchedFile] = []
    /// The newest version of each file, shown or not.
    var newest: [Snapshot<JSON>] = []
    private var directories: [WatchedDirectory] = []
    private var names: Set<String> = []

    /// Opens all of them. Their events are added to the queue after ``subscribe()``.
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
        let file = try WatchedFile(name, request, isNew: isNew)
        all.append(file)
        newest.append(file.shown)
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

    /// When to look for new files at the latest; nil if the kernel reports them.
    var pollTime: ContinuousClock.Instant? { directories.contains(where: \.isPolled) ? .now + .seconds(1) : nil }
}

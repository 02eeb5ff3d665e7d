import FileScripts
import Glibc
import Locking

/// Waits for events of one file as directly as possible: a thread that blocks in a read of an inotify descriptor.
///
/// It watches for the same events as the library, of the file and of the names in its directory. Otherwise one of the
/// two would already be awake at the last step of an edit and the other not.
struct RawWatch {
    private let path: String
    private let name: [UInt8]
    private let descriptor: Int32
    private let directory: Int32

    private static let ofFile = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
    private static let ofDirectory = UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)

    static func start(_ path: String, _ handler: @escaping @Sendable () -> Void) {
        let watch = RawWatch(path)
        let error = SignalBlockingThread.start(named: "raw") { watch.run(handler) }
        if error != 0 { fail("no thread: \(String(cString: strerror(error)))") }
    }

    private init(_ path: String) {
        self.path = path
        let cut = path.lastIndex(of: "/")!
        name = Array(path[path.index(after: cut)...].utf8)
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        directory = inotify_add_watch(descriptor, String(path[..<cut]), Self.ofDirectory)
        guard directory >= 0, watchFile() else { fail("\(path) cannot be watched") }
    }

    /// Has no effect if the file is already watched.
    @discardableResult
    private func watchFile() -> Bool { inotify_add_watch(descriptor, path, Self.ofFile) >= 0 }

    private func run(_ handler: () -> Void) {
        var events = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(descriptor, &events, events.count)
            guard count > 0 else { fail("inotify cannot be read") }
            if isAffected(by: events[..<count]) {
                handler()
                watchFile()
            }
        }
    }

    private func isAffected(by events: ArraySlice<UInt8>) -> Bool {
        var rest = events
        while !rest.isEmpty {
            let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
            rest = rest.dropFirst(MemoryLayout<inotify_event>.size)
            let name = rest.prefix(Int(event.len)).prefix { $0 != 0 }
            if event.wd != directory || name.elementsEqual(self.name) { return true }
            rest = rest.dropFirst(Int(event.len))
        }
        return false
    }
}

import Foundation
import ManualTiming

/// A child process that reads inotify events of one file with a blocking `read`, and prints the time of each.
enum RawInotifyWatcher {
    static let name = "raw"
    /// Watches the file too, as one must to see writes through its other names and mounts. When a file that is watched
    /// is replaced, the kernel has to end that watch, and takes longer.
    static let nameWithFile = "raw-with-file"

    static func run(_ path: String, watchesFile: Bool = false) {
        Thread.detachNewThread {
            watch(
                path, watchesFile: watchesFile, ready: { printLine("ready") }, changed: { printLine("\($0)") })
        }
        while readLine() != nil {}
    }

    /// Calls `changed` with the moment at which each batch of events about the file was read.
    static func watch(
        _ path: String, watchesFile: Bool = false, ready: () -> Void, changed: (Int) -> Void
    ) -> Never {
        let cut = path.lastIndex(of: "/")!
        let (folder, name) = (String(path[..<cut]), String(path[path.index(after: cut)...]))
        let descriptor = check("inotify", inotify_init1(Int32(IN_CLOEXEC)))
        _ = check("watch", inotify_add_watch(descriptor, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)))
        func watchFile() { if watchesFile { inotify_add_watch(descriptor, path, UInt32(IN_ATTRIB)) } }
        watchFile()
        ready()
        var events = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = check("read", read(descriptor, &events, events.count))
            let moment = now()
            guard names(events[..<count]).contains(name) else { continue }
            changed(moment)
            watchFile()
        }
    }

    private static func names(_ events: ArraySlice<UInt8>) -> [String] {
        var names: [String] = []
        var rest = events
        while !rest.isEmpty {
            let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
            rest = rest.dropFirst(MemoryLayout<inotify_event>.size)
            names.append(String(decoding: rest.prefix(Int(event.len)).prefix { $0 != 0 }, as: UTF8.self))
            rest = rest.dropFirst(Int(event.len))
        }
        return names
    }
}

import Foundation
import ManualTiming

/// A child process that reads inotify events of one file with a blocking `read`, and prints the time of each.
enum RawInotifyWatcher {
    static let name = "raw"

    static func run(_ path: String) {
        Thread.detachNewThread { watch(path, ready: { printLine("ready") }, changed: { printLine("\($0)") }) }
        while readLine() != nil {}
    }

    /// Calls `changed` with the moment at which each batch of events about the file was read.
    static func watch(_ path: String, ready: () -> Void, changed: (Int) -> Void) -> Never {
        let cut = path.lastIndex(of: "/")!
        let (folder, name) = (String(path[..<cut]), String(path[path.index(after: cut)...]))
        let descriptor = check("inotify", inotify_init1(Int32(IN_CLOEXEC)))
        _ = check("watch", inotify_add_watch(descriptor, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)))
        ready()
        var events = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = check("read", read(descriptor, &events, events.count))
            let moment = now()
            if names(events[..<count]).contains(name) { changed(moment) }
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

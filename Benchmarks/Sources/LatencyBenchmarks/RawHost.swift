import Foundation
import HandTimed

/// A process that waits for events of one file as directly as can be, in a blocking read of the kernel's descriptor, and
/// reads nothing else. It says the moment of each.
enum RawHost {
    static let name = "raw"

    static func run(_ path: String) {
        Thread.detachNewThread { watch(path) }
        while readLine() != nil {}
    }

    private static func watch(_ path: String) -> Never {
        let cut = path.lastIndex(of: "/")!
        let (folder, name) = (String(path[..<cut]), String(path[path.index(after: cut)...]))
        let descriptor = must("inotify", inotify_init1(Int32(IN_CLOEXEC)))
        _ = must("watch", inotify_add_watch(descriptor, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)))
        say("ready")
        var events = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = must("read", read(descriptor, &events, events.count))
            let moment = now()
            if names(events[..<count]).contains(name) { say("\(moment)") }
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

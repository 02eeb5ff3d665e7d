import FileScripts
import Glibc
import Locking

/// Waits for events of one file as directly as can be: a thread in a blocking read of the kernel's descriptor.
enum RawWatch {
    static func begin(_ path: String, _ handler: @escaping @Sendable () -> Void) {
        let cut = path.lastIndex(of: "/")!
        let (folder, name) = (String(path[..<cut]), Array(path[path.index(after: cut)...].utf8))
        let descriptor = inotify_init1(Int32(IN_CLOEXEC))
        // What the ways that follow paths ask for too: the first event of an edit counts.
        let mask = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO)
        guard inotify_add_watch(descriptor, folder, mask) >= 0 else { fail("\(folder) cannot be watched") }
        let error = QuietThread.begin(named: "raw") {
            var events = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = read(descriptor, &events, events.count)
                guard count > 0 else { fail("inotify cannot be read") }
                if isNamed(name, in: events[..<count]) { handler() }
            }
        }
        if error != 0 { fail("no thread: \(String(cString: strerror(error)))") }
    }

    private static func isNamed(_ name: [UInt8], in events: ArraySlice<UInt8>) -> Bool {
        var rest = events
        while !rest.isEmpty {
            let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
            rest = rest.dropFirst(MemoryLayout<inotify_event>.size)
            if rest.prefix(Int(event.len)).prefix(while: { $0 != 0 }).elementsEqual(name) { return true }
            rest = rest.dropFirst(Int(event.len))
        }
        return false
    }
}

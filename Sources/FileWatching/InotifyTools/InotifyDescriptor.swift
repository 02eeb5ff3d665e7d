#if InotifyTools
internal import CInotifyTools
internal import CLinux
internal import Glibc

/// Finds the descriptor of libinotifytools, which has no function for that, among those of the process.
enum InotifyDescriptor {
    /// Returns the descriptor. Must be called right after `inotifytools_initialize`, before anything is watched.
    static func find() -> Int32? { findInProc() ?? findByCounting() }

    /// Watches a new pipe through the library. The kernel then lists the pipe's inode for the descriptor that watches
    /// it.
    static func findInProc() -> Int32? {
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { return nil }
        defer { for end in ends { close(end) } }
        var status = stat()
        guard fstat(ends[0], &status) == 0 else { return nil }
        let probe = "/proc/self/fd/\(ends[0])"
        guard inotifytools_watch_file(probe, IN_ATTRIB) != 0 else { return nil }
        defer { inotifytools_remove_watch_by_filename(probe) }
        return descriptors().first { !InotifyFDInfo.watches(of: $0, ofInodesNumbered: UInt64(status.st_ino)).isEmpty }
    }

    /// Works without /proc: returns the descriptor whose unread bytes grow with each event that the library causes.
    static func findByCounting() -> Int32? {
        let events: Int32 = 7
        let highest = max(Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))), Int32(FD_SETSIZE))
        let before = (0..<min(highest, 65536)).map { clinux_readable_bytes($0) }
        for _ in 0..<events {
            guard inotifytools_watch_file("/", IN_DELETE_SELF) != 0 else { return nil }
            inotifytools_remove_watch_by_wd(inotifytools_wd_from_filename("/"))
        }
        let size = Int32(MemoryLayout<inotify_event>.size)
        let grown = before.indices.filter { before[$0] >= 0 && isGrown(Int32($0), before[$0], by: events * size) }
        return grown.count == 1 ? Int32(grown[0]) : nil
    }

    private static func isGrown(_ descriptor: Int32, _ before: Int32, by bytes: Int32) -> Bool {
        clinux_readable_bytes(descriptor) == before + bytes
    }

    private static func descriptors() -> [Int32] {
        guard let directory = opendir("/proc/self/fd") else { return [] }
        defer { closedir(directory) }
        var result: [Int32] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = Int32(name), isInotify(number) { result.append(number) }
        }
        return result
    }

    private static func isInotify(_ descriptor: Int32) -> Bool {
        var target = [CChar](repeating: 0, count: 64)
        let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
        return count > 0
            && String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
                == "anon_inode:inotify"
    }
}
#endif

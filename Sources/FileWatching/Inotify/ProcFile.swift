internal import Glibc

/// Reads files in /proc, which the kernel generates as they are read.
enum ProcFile {
    /// Returns the text of a file; empty if it does not exist or is not readable.
    static func read(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        return String(decoding: read(descriptor), as: UTF8.self)
    }

    /// Reads from the current position to the end.
    static func read(_ descriptor: Int32) -> [UInt8] {
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while case let count = Glibc.read(descriptor, &part, part.count), count > 0 { text += part.prefix(count) }
        return text
    }
}

/// The watches of an inotify descriptor, as /proc/self/fdinfo lists them.
enum InotifyFDInfo {
    /// Returns the watches whose inode has this number, on any device. The kernel's lines read
    /// `inotify wd:1f ino:2a03 sdev:…`, in hexadecimal.
    static func watches(of descriptor: Int32, ofInodesNumbered number: UInt64) -> [WatchDescriptor] {
        let (start, inode) = ("inotify wd:", " ino:\(String(number, radix: 16)) ")
        let lines = ProcFile.read("/proc/self/fdinfo/\(descriptor)").split(separator: "\n")
        return lines.compactMap { line in
            guard line.hasPrefix(start), line.contains(inode) else { return nil }
            return Int32(line.dropFirst(start.count).prefix { $0 != " " }, radix: 16).map {
                WatchDescriptor(number: $0)
            }
        }
    }
}

internal import Glibc

/// What the kernel tells in /proc of the watches of one inotify descriptor.
enum WatchList {
    /// The watches whose inode has this number, on whatever device. The kernel's lines read
    /// `inotify wd:1f ino:2a03 sdev:…`, in hexadecimal.
    static func watches(of descriptor: Int32, ofInodesNumbered number: UInt64) -> [Watch] {
        let (start, inode) = ("inotify wd:", " ino:\(String(number, radix: 16)) ")
        let lines = ProcFile.read("/proc/self/fdinfo/\(descriptor)").split(separator: "\n")
        return lines.compactMap { line in
            guard line.hasPrefix(start), line.contains(inode) else { return nil }
            return Int32(line.dropFirst(start.count).prefix { $0 != " " }, radix: 16).map { Watch(number: $0) }
        }
    }
}

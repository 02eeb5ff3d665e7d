import Glibc

/// The threads of this process, from /proc.
enum ProcessThreads {
    /// The number of threads with the name.
    static func count(named name: String) -> Int {
        guard let folder = opendir("/proc/self/task") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            let task = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            // A thread may end after it was listed.
            if Self.name(ofTask: task) == name { count += 1 }
        }
        return count
    }

    private static func name(ofTask task: String) -> String? {
        let file = open("/proc/self/task/\(task)/comm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let length = read(file, &bytes, bytes.count)
        return length > 0 ? String(decoding: bytes.prefix(length - 1), as: UTF8.self) : nil
    }
}

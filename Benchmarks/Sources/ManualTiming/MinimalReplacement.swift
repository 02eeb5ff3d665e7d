import Glibc

/// The minimal durable replacement of a file: write a temporary file, sync it, rename it, and sync the directory.
package struct MinimalReplacement {
    private let path: String

    package init(path: String) { self.path = path }

    package func replace(with bytes: [UInt8], waits: Bool) {
        let new = path + ".new"
        let file = check("open", open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        _ = check("write", write(file, bytes, bytes.count))
        if waits { _ = check("fdatasync", fdatasync(file)) }
        close(file)
        _ = check("rename", rename(new, path))
        guard waits else { return }
        let folder = check("open", open(String(path[..<path.lastIndex(of: "/")!]), O_RDONLY | O_CLOEXEC))
        _ = check("fsync", fsync(folder))
        close(folder)
    }
}

import Glibc

/// What every program does that replaces files durably: a file beside it, written, synced, renamed over it, and the
/// folder synced.
package struct LeastReplacement {
    private let path: String

    package init(path: String) { self.path = path }

    package func replace(with bytes: [UInt8], waits: Bool) {
        let new = path + ".new"
        let file = must("open", open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        _ = must("write", write(file, bytes, bytes.count))
        if waits { _ = must("fdatasync", fdatasync(file)) }
        close(file)
        _ = must("rename", rename(new, path))
        guard waits else { return }
        let folder = must("open", open(String(path[..<path.lastIndex(of: "/")!]), O_RDONLY | O_CLOEXEC))
        _ = must("fsync", fsync(folder))
        close(folder)
    }
}

import CLinux
import FileWatching
import Glibc
import LosslessJSON
import VisibleText

/// A directory of the `watch` command, whose JSON files are watched. Directories in it are not.
///
/// The kernel reports entries that appear through ``descriptor``. A watch of the directory's path reports that another
/// directory has its name now. Where neither is possible, the directory is read once a second.
final class WatchedDirectory {
    let name: String
    /// Readable when entries may have appeared; -1 if the system has no descriptor left.
    let descriptor: Int32
    private var watch: FileWatch?

    /// - Parameter notify: Called on any thread when the directory may be another one.
    init(_ name: String, isPolled: Bool, notify: @escaping @Sendable () -> Void) throws(Failure) {
        self.name = name
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        do throws(FileWatchError) {
            watch = try FileWatch(name, method: isPolled ? .polling : .automatic) { signal in
                if case .mayHaveChanged = signal { notify() }
            }
        } catch {
            throw .systemError(error.description)
        }
    }

    deinit {
        watch?.cancel()
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether the directory must be read regularly, because the kernel does not report all changes.
    var isPolled: Bool { descriptor < 0 || watchNumber < 0 || watch?.status != .live }

    /// The kernel's number for the watch of the entries; negative for none.
    private var watchNumber: Int32 = -1

    /// The paths of the JSON files in the directory, sorted; nil, with the error in errno, if it cannot be read. Entries
    /// that appear after this has begun make ``descriptor`` readable.
    func files() -> [String]? {
        discardEvents()
        watchEntries()
        guard let directory = opendir(name) else { return nil }
        defer { closedir(directory) }
        var files: [String] = []
        while let entry = readdir(directory) {
            let file = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let file, !file.hasPrefix("."), file.hasSuffix(".json") || file.hasSuffix(".jsonc") else { continue }
            let path = name.hasSuffix("/") ? name + file : "\(name)/\(file)"
            var status = stat()
            // A link whose target is missing is watched as well.
            if stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG { files.append(path) }
        }
        return files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Watches the directory that has the name now, and no longer the one that had it before.
    private func watchEntries() {
        if descriptor < 0 { return }
        let former = watchNumber
        watchNumber = inotify_add_watch(descriptor, name, UInt32(IN_CREATE | IN_MOVED_TO | IN_ONLYDIR))
        if former >= 0, former != watchNumber { inotify_rm_watch(descriptor, former) }
    }

    private func discardEvents() {
        var events = [UInt8](repeating: 0, count: 4_096)
        while descriptor >= 0, read(descriptor, &events, events.count) > 0 {}
    }
}

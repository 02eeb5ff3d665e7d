internal import Glibc
internal import Locking

/// A complete file in a directory without its name, so that a crash leaves nothing of it. Removed when it is released,
/// unless it is kept.
package final class UnnamedFile: Sendable {
    private struct State: ~Copyable {
        // Released before the directory, in which it may have to remove its name.
        var version: NewVersion<Kernel>
        let directory: OpenFile<Kernel>
        var hasName = false
    }

    /// The prefix of temporary names, used where unnamed files are not supported.
    static let temporaryName = "object"

    // Held during system calls: only the thread that saves the file uses it.
    private let state: Lock<State>
    private let directory: Directory
    private let isDurable: Bool

    init(
        _ bytes: [UInt8], in opened: consuming sending OpenFile<Kernel>, _ directory: Directory, isDurable: Bool
    ) throws(FileError) {
        (self.directory, self.isDurable) = (directory, isDurable)
        let specification = NewVersionSpecification(
            path: directory.path, bytes: bytes, permissions: 0o600, isDurable: isDurable, isNamed: false)
        var lost: Set<Replacement.Attribute> = []
        do {
            let version = try NewVersion.prepare(specification, for: Self.temporaryName, in: opened, lost: &lost)
            state = Lock(State(version: version, directory: opened))
        } catch {
            throw Self.fileError(error, directory.path)
        }
    }

    /// Gives the file its name, unless it has one, and waits for the disk if it is durable.
    package func setName(_ name: String) throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            if !state.hasName {
                let path = "\(directory.path)/\(name)"
                do {
                    try state.version.setName(name, in: state.directory, path)
                } catch {
                    throw Self.fileError(error, path)
                }
                state.hasName = true
            }
            // Again, if it failed before.
            if isDurable { try directory.synchronize(state.directory) }
        }
    }

    /// Whether the file still has a name, which another program may have removed.
    package var isNamed: Bool {
        get throws(FileError) {
            try withFileError(directory.path, .read) { () throws(ErrorNumber) in
                try state.withLock { (state) throws(ErrorNumber) in try state.version.file.status().linkCount > 0 }
            }
        }
    }

    /// Keeps the file.
    package func keep() { state.withLock { $0.version.name.keep() } }

    private static func fileError(_ error: any Error, _ path: String) -> FileError {
        switch error {
        case let error as FileError: error
        case let error as DirectoryNotModifiable: FileError(error.reason, path, error.operation)
        // Only without /proc, and on a kernel older than Linux 6.10.
        default: FileError(ErrorNumber(EOPNOTSUPP), path, .create)
        }
    }
}

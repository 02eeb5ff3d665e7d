internal import Glibc
internal import Locking

/// A displaced edit that the next version has to include, and the file that holds it meanwhile.
struct DisplacedFile {
    let edit: DisplacedEdit
    /// Where the edit is stored until it is merged.
    var location: Location
    /// Whether an earlier replacement left the file, rather than this one.
    let isLeftover: Bool

    enum Location {
        case none
        /// A temporary file in the directory of the file, removed once the edit is merged.
        case temporary(String)
        /// The same, but a process may still write to it: once merged, it is renamed to record which version has been
        /// merged.
        case open(String, TemporaryName.VersionID)
        /// The same, but the file has had this status for the quiet period.
        case quiet(String, FileStatus)
        /// A file in the backup directory.
        case backupDirectory(String)
    }

    /// The temporary name in the directory of the file.
    var temporaryName: String? {
        switch location {
        case .temporary(let temporaryName), .open(let temporaryName, _), .quiet(let temporaryName, _): temporaryName
        case .none, .backupDirectory: nil
        }
    }
}

extension ReplaceOperation {
    /// The argument for the caller's closure.
    func foundFile(with contents: FileContents?) -> FoundFile {
        FoundFile(contents: contents, written: written, displaced: displacedFiles.map(\.edit))
    }

    /// Adds an edit to pass to the caller's closure in the next attempt.
    mutating func addDisplaced(
        _ bytes: [UInt8], basedOn base: [UInt8]?, _ location: DisplacedFile.Location, isLeftover: Bool = false,
        at resolved: borrowing ResolvedPath<System>
    ) {
        var file = DisplacedFile(
            edit: DisplacedEdit(base: base, bytes: bytes), location: location, isLeftover: isLeftover)
        if let temporaryName = file.temporaryName {
            file = DisplacedFile(
                edit: DisplacedEdit(base: base, bytes: bytes, path: resolved.path(of: temporaryName)),
                location: location,
                isLeftover: isLeftover)
            if !temporaryNames.contains(temporaryName) { temporaryNames.append(temporaryName) }
        }
        displacedFiles.append(file)
    }

    /// Removes the files of the edits that are now merged.
    mutating func removeMerged(at resolved: borrowing ResolvedPath<System>) {
        let merged = displacedFiles
        displacedFiles = []
        for file in merged {
            switch file.location {
            case .none: break
            case .temporary(let temporaryName): remove(temporaryName, at: resolved)
            case .open(let temporaryName, let version):
                guard let name = try? renameAsDisplaced(temporaryName, version, at: resolved) else { break }
                if result.lease == .writerDidNotClose {
                    DisplacedVersionCache.remember(file.edit.bytes, as: resolved.path(of: name))
                } else {
                    keepForQuietPeriod(name, holding: file.edit.bytes, at: resolved)
                }
            case .quiet(let temporaryName, let status): _ = removeIfUnchanged(temporaryName, status, at: resolved)
            case .backupDirectory(let name): removeBackup(name, at: resolved)
            }
        }
    }

    /// Keeps the files of all edits, because nothing is written.
    mutating func leaveDisplaced() {
        for file in displacedFiles { if let path = file.edit.path { result.leftovers.append(path) } }
        displacedFiles = []
    }

    /// Starts over in another directory, because the path leads there now. Edits that this replacement displaced still
    /// have to be merged; leftovers stay for the next replacement in the old directory.
    mutating func prepareForNewDirectory() {
        written = nil
        temporaryNames = []
        displacedFiles = displacedFiles.filter { !$0.isLeftover }.map { file in
            var file = file
            file.location = .none
            return file
        }
    }

    /// Renames a file that a process may still write to, so that its name tells a later replacement which version is
    /// known.
    mutating func renameAsDisplaced(
        _ temporaryName: String, _ version: TemporaryName.VersionID, at resolved: borrowing ResolvedPath<System>
    ) throws(FileError) -> String {
        let (name, directory) = (
            TemporaryName(.displaced(version)).name(for: resolved.name), resolved.directory.descriptor
        )
        // Some file systems do not support RENAME_NOREPLACE; no other process uses this name.
        try withFileError(path, .exchange) { () throws(ErrorNumber) in
            do throws(ErrorNumber) {
                try calls.rename(temporaryName, toUnused: name, in: directory)
            } catch {
                if ![EINVAL, ENOSYS, EOPNOTSUPP].contains(error.rawValue) { throw error }
                try calls.rename(temporaryName, to: name, in: directory)
            }
        }
        temporaryNames.removeAll { $0 == temporaryName }
        temporaryNames.append(name)
        result.leftovers = result.leftovers.map {
            $0 == resolved.path(of: temporaryName) ? resolved.path(of: name) : $0
        }
        return name
    }

    /// Records that a writer did not close the file in time.
    mutating func recordActiveWriter(_ temporaryName: String?, at resolved: borrowing ResolvedPath<System>) {
        result.lease = .writerDidNotClose
        if let temporaryName { result.leftovers.append(resolved.path(of: temporaryName)) }
    }
}

/// The displaced files that this process left next to files, with the contents that serve as merge base.
///
/// The contents are limited to 16 MB in all. Without them, edits are merged as after a crash, with an unknown base.
enum DisplacedVersionCache {
    private struct Entry {
        let path: String
        var bytes: [UInt8]?
    }

    private static let entries = Lock<[Entry]>([])
    private static let maximumBytes = 1 << 24
    private static let maximumVersions = 1_000

    static func remember(_ bytes: [UInt8], as path: String) {
        entries.withLock { entries in
            if entries.count >= maximumVersions { entries.removeFirst() }
            // Contents that do not fit alone displace no others.
            entries.append(Entry(path: path, bytes: bytes.count <= maximumBytes ? bytes : nil))
            var excess = entries.reduce(-maximumBytes) { $0 + ($1.bytes?.count ?? 0) }
            for index in entries.indices where excess > 0 {
                excess -= entries[index].bytes?.count ?? 0
                entries[index].bytes = nil
            }
        }
    }

    static func contains(_ path: String) -> Bool { entries.withLock { $0.contains { $0.path == path } } }

    static func bytes(of path: String) -> [UInt8]? { entries.withLock { $0.last { $0.path == path }?.bytes } }

    static func forget(_ path: String) { entries.withLock { $0.removeAll { $0.path == path } } }

    /// Forgets the files with that prefix that are not in `paths`, because they have been removed.
    static func forget(beginningWith prefix: String, except paths: [String]) {
        entries.withLock { $0.removeAll { $0.path.hasPrefix(prefix) && !paths.contains($0.path) } }
    }
}

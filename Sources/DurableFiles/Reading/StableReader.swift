internal import Glibc

/// Reads a file until the bytes belong to one version, or the attempts are used up.
///
/// Each attempt opens the path again, so that a file renamed over the old one is read.
struct StableReader<System: FileCalls> {
    private let path: String
    private let limit: Int
    private let trust: PathTrust
    private let calls: System
    private let marker: WriteMarker?
    private let attributes: LastKnownAttributes?
    private var backoff = Backoff()
    /// The directory of the file, if the process has to check who may change it.
    private var lookup: Lookup?

    private static var tries: Int { 3 }
    /// `O_NONBLOCK`: the open must wait neither for the writer of a pipe nor for the holder of a lease.
    private static var flags: Int32 { O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC }
    /// How often a symbolic link may replace the file between the lookup and the open.
    private static var maximumMoves: Int { 10 }

    init(
        path: String, limit: Int, trust: PathTrust, calls: System, marker: WriteMarker?,
        attributes: LastKnownAttributes?
    ) {
        self.path = path
        self.limit = limit
        self.trust = trust
        self.calls = calls
        self.marker = marker
        self.attributes = attributes
    }

    /// The status after the read, and whether the bytes are one version.
    typealias Version = (status: FileStatus, isStable: Bool)

    mutating func run(into storage: any FileStorage) throws(FileError) -> Version {
        var version = try readOnce(into: storage)
        for _ in 1..<Self.tries where !version.isStable {
            let before = storage.withStoredBytes { Array($0) }
            version = try readOnce(into: storage)
            // Only the times changed, for example by `touch`.
            if storage.isSame(as: before) { version.isStable = Self.isComplete(storage.count, version.status) }
        }
        return version
    }

    private static func isComplete(_ count: Int, _ status: FileStatus) -> Bool {
        // Files in /proc report size 0 and still have contents.
        count == status.identity.size || status.identity.size == 0
    }

    private mutating func readOnce(into storage: any FileStorage) throws(FileError) -> Version {
        let file = try open()
        let before = try checkedStatus(of: file)
        try lookup?.requireTrusted(before, SplitPath(path).name, of: path)
        try read(file, size: Int(before.identity.size), into: storage)
        if let marker, trust.trustsMarker(of: before) { marker.read(from: file) }
        let after = try checkedStatus(of: file)
        attributes?.remember(after)
        return (after, before == after && Self.isComplete(storage.count, before))
    }

    private mutating func open() throws(FileError) -> OpenFile<System> {
        while true {
            do throws(FileError) {
                return try openOnce()
            } catch {
                // Another process holds a lease, and the kernel has asked it to release the lease.
                guard error.errorNumber == EAGAIN, let pause = backoff.nextPause() else { throw error }
                calls.pause(microseconds: pause)
            }
        }
    }

    private mutating func openOnce() throws(FileError) -> OpenFile<System> {
        let file: OpenFile<System>
        do throws(ErrorNumber) {
            file = try OpenFile(calls) { (calls) throws(ErrorNumber) in
                try calls.openWithoutLinks(path, in: AT_FDCWD, Self.flags)
            }
        } catch {
            // ENOSYS or EPERM: kernels and container runtimes from before 2020 do not know or do not allow openat2.
            // EACCES: the resolver tells whether a directory is the cause.
            if [ELOOP, ENOSYS, EPERM, EACCES].contains(error.rawValue) { return try openResolved() }
            throw openError(error)
        }
        lookup = nil
        guard trust.isPrivileged else { return file }
        lookup = Lookup.forProtectedDirectory(of: SplitPath(path), trust: trust, calls: calls)
        if lookup == nil { return try openResolved() }
        return file
    }

    /// Opens the file component by component, for paths with symbolic links or with directories that untrusted users
    /// can rename.
    private mutating func openResolved() throws(FileError) -> OpenFile<System> {
        for _ in 0..<Self.maximumMoves {
            var resolver = try PathResolver.begin(path, isReading: true, trust: trust, calls: calls)
            let name = try resolver.resolve()
            lookup = resolver.lookup
            let (directory, links) = (resolver.directory.descriptor, resolver.isMagicLink ? 0 : O_NOFOLLOW)
            do throws(ErrorNumber) {
                return try OpenFile(calls) { (calls) throws(ErrorNumber) in
                    try calls.open(name, in: directory, Self.flags | links, permissions: 0)
                }
            } catch {
                // ELOOP: a symbolic link has replaced the file since the lookup.
                if error.rawValue != ELOOP { throw openError(error) }
            }
        }
        throw FileError(.unstable, path, .open)
    }

    /// Returns the error for a failed open. Sockets and missing devices fail with ENXIO, so their kind needs a separate
    /// status call.
    private func openError(_ error: ErrorNumber) -> FileError {
        if error.rawValue == ENXIO, case .special(let kind)? = (try? calls.status(at: path))?.kind {
            return FileError(.notRegular(kind), path, .open, errorNumber: ENXIO)
        }
        return FileError(error, path, .open)
    }
}

extension StableReader {
    /// Returns the status of the file; throws unless it is a regular file within the size limit.
    private func checkedStatus(of file: borrowing OpenFile<System>) throws(FileError) -> FileStatus {
        let status: FileStatus
        do throws(ErrorNumber) { status = try file.status() } catch { throw FileError(error, path, .status) }
        try status.requireRegular(path)
        try requireAllowed(size: status.identity.size)
        return status
    }

    private func requireAllowed(size: Int64) throws(FileError) {
        if size > limit { throw FileError(.tooLarge(size: size, limit: limit), path, .status) }
    }

    private func read(
        _ file: borrowing OpenFile<System>, size: Int, into storage: any FileStorage
    ) throws(FileError) {
        do throws(ErrorNumber) {
            if size > 0 {
                try file.read(count: size, into: storage)
            } else {
                storage.replace(with: try file.bytes(past: limit))
            }
        } catch {
            throw FileError(error, path, .read)
        }
        try requireAllowed(size: Int64(storage.count))
    }
}

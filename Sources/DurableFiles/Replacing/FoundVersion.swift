internal import Glibc

/// An existing version of a file: open, read, and with a read lease if the kernel grants one.
///
/// While the lease is unbroken, no process has opened the file for writing, so it holds the bytes that were read.
struct FoundVersion<System: FileCalls>: ~Copyable {
    var file: OpenFile<System>
    var status: FileStatus
    let bytes: [UInt8]
    let lease: Replacement.Lease

    var digest: Digest { Digest(bytes) }

    var version: TemporaryName.VersionID { .inode(of: status, digest) }

    var contents: FileContents {
        FileContents(bytes: bytes, identity: status.identity, mode: status.permissions, isStable: true)
    }
}

/// A symbolic link has replaced the file since the path was resolved.
struct ReplacedBySymbolicLink: Error {}

extension FoundVersion {
    private static var flags: Int32 { O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC }

    /// Opens and reads the file; returns nil if it does not exist. Waits up to 2 s in all for processes that have it
    /// open for writing.
    static func open(
        _ name: String, at resolved: borrowing ResolvedPath<System>, limit: Int, waitsForWriters: Bool = true
    ) throws -> FoundVersion? {
        var backoff = waitsForWriters ? Backoff(longestPause: 1_000) : Backoff(limit: 0)
        while true {
            guard var file = try open(name, at: resolved, &backoff) else { return nil }
            let lease = try takeReadLease(&file, resolved.path, &backoff)
            guard let lease else { continue }
            let start = resolved.calls.monotonicMicroseconds
            if let version = try read(file, resolved.path, lease, limit: limit) {
                try resolved.requireTrusted(version.status, name)
                return version
            }
            // Reading a large file takes longer than the pauses.
            backoff.addElapsed(resolved.calls.monotonicMicroseconds - start)
            guard let pause = backoff.nextPause() else {
                throw FileError(ErrorNumber(EAGAIN), resolved.path, .exchange)
            }
            resolved.calls.pause(microseconds: pause)
        }
    }

    private static func open(
        _ name: String, at resolved: borrowing ResolvedPath<System>, _ backoff: inout Backoff
    ) throws -> OpenFile<System>? {
        let directory = resolved.directory.descriptor
        while true {
            do throws(ErrorNumber) {
                return try OpenFile(resolved.calls) { (calls) throws(ErrorNumber) in
                    try calls.open(name, in: directory, flags, permissions: 0)
                }
            } catch {
                switch error.rawValue {
                case ENOENT: return nil
                case ELOOP: throw ReplacedBySymbolicLink()
                case EAGAIN:
                    guard let pause = backoff.nextPause() else { throw FileError(error, resolved.path, .open) }
                    resolved.calls.pause(microseconds: pause)
                case ENXIO: throw openError(name, at: resolved, error)
                default: throw FileError(error, resolved.path, .open)
                }
            }
        }
    }

    /// Returns the error for ENXIO: sockets and missing devices cannot be opened, so their kind needs a separate status
    /// call.
    private static func openError(
        _ name: String, at resolved: borrowing ResolvedPath<System>, _ error: ErrorNumber
    ) -> FileError {
        let status = try? resolved.calls.status(of: name, in: resolved.directory.descriptor)
        guard case .special(let kind)? = status?.kind else { return FileError(error, resolved.path, .open) }
        return FileError(.notRegular(kind), resolved.path, .open, errorNumber: error.rawValue)
    }

    /// Takes a read lease; returns nil if a process has the file open for writing and may close it soon.
    private static func takeReadLease(
        _ file: inout OpenFile<System>, _ path: String, _ backoff: inout Backoff
    ) throws(FileError) -> Replacement.Lease? {
        do throws(ErrorNumber) {
            try file.takeLease(.read)
            return .held
        } catch {
            guard error.rawValue == EAGAIN else { return .unavailable(error.rawValue) }
            guard let pause = backoff.nextPause() else { return .writerDidNotClose }
            file.calls.pause(microseconds: pause)
            return nil
        }
    }

    /// Reads the file; returns nil if it changed meanwhile.
    private static func read(
        _ file: consuming OpenFile<System>, _ path: String, _ lease: Replacement.Lease, limit: Int
    ) throws(FileError) -> FoundVersion? {
        let status = try file.regularStatus(path, limit: limit)
        let version = FoundVersion(
            file: file, status: status, bytes: try file.allBytes(status, path), lease: lease)
        guard version.bytes.count == status.identity.size else { return nil }
        if lease == .held { return version }
        let now = try version.file.regularStatus(path, limit: limit)
        if try !version.holds(now, path) { return nil }
        return version
    }
}

extension FoundVersion {
    /// Returns whether the file still holds the bytes that were read, given its current status. Equal bytes count even
    /// if the times differ, because every `touch` changes them.
    func holds(_ now: FileStatus, _ path: String) throws(FileError) -> Bool {
        if now == status { return true }
        guard now.isSameFile(as: status), now.identity.size == status.identity.size else { return false }
        return try file.allBytes(now, path).isSame(as: bytes)
    }

    /// Returns whether no process has opened the file for writing since it was read, as far as the kernel tells.
    func isLeaseUnbroken() throws(ErrorNumber) -> Bool { lease == .held ? try file.isLeaseUnbroken() : true }

    /// Returns the contents after all writers have closed the file or 2 s have passed, and whether it is still open.
    mutating func bytesWhenClosed(_ path: String, limit: Int) throws(FileError) -> (bytes: [UInt8], isOpen: Bool) {
        let isOpen = waitUntilClosed()
        let status = try file.regularStatus(path, limit: limit)
        return (try file.allBytes(status, path), isOpen)
    }

    /// Waits for the writers; returns whether one still has the file open.
    private mutating func waitUntilClosed() -> Bool {
        file.releaseLease()
        if case .unavailable = lease { return false }
        var backoff = Backoff(longestPause: 2_000)
        while true {
            do throws(ErrorNumber) {
                try file.takeLease(.read)
                return false
            } catch {
                guard error.rawValue == EAGAIN else { return false }
                guard let pause = backoff.nextPause() else { return true }
                file.calls.pause(microseconds: pause)
            }
        }
    }
}

extension OpenFile {
    /// Returns the status; throws unless the file is regular and has at most `limit` bytes.
    func regularStatus(_ path: String, limit: Int) throws(FileError) -> FileStatus {
        let result: FileStatus
        do throws(ErrorNumber) { result = try status() } catch { throw FileError(error, path, .status) }
        try result.requireRegular(path)
        if result.identity.size > limit {
            throw FileError(.tooLarge(size: result.identity.size, limit: limit), path, .status)
        }
        return result
    }

    func allBytes(_ status: FileStatus, _ path: String) throws(FileError) -> [UInt8] {
        do throws(ErrorNumber) {
            return try bytes(count: Int(status.identity.size))
        } catch {
            throw FileError(error, path, .read)
        }
    }
}

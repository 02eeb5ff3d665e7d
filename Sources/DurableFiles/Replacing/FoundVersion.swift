internal import Glibc

/// The version of a file that was found: open, read, and with a lease on it where there are leases to be had.
///
/// While the lease is whole nobody has opened the file to write, so that its bytes are those that were read.
struct FoundVersion<Calls: FileCalls>: ~Copyable {
    var file: OpenFile<Calls>
    let status: FileStatus
    let bytes: [UInt8]
    let lease: Replacement.Lease

    var digest: Digest { Digest(bytes) }

    var version: Mark.Version { .inode(of: status, digest) }

    var contents: FileContents {
        FileContents(bytes: bytes, identity: status.identity, mode: status.permissions, isStable: true)
    }
}

/// What a symbolic link took the place of.
struct PathMoved: Error {}

extension FoundVersion {
    private static var flags: Int32 { O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC }

    /// What has that name; nil when nothing does. Waits for those who are writing to it, for two seconds in all.
    static func find(
        _ name: String, at place: borrowing Place<Calls>, limit: Int, isPatient: Bool = true
    ) throws -> FoundVersion? {
        var patience = isPatient ? Patience(longestPause: 1_000) : Patience(limit: 0)
        while true {
            guard var file = try open(name, at: place, &patience) else { return nil }
            let lease = try hold(&file, place.path, &patience)
            guard let lease else { continue }
            if let version = try read(file, place.path, lease, limit: limit) { return version }
            guard let pause = patience.nextPause() else {
                throw FileError(ErrorNumber(EAGAIN), place.path, .exchange)
            }
            place.calls.pause(microseconds: pause)
        }
    }

    private static func open(
        _ name: String, at place: borrowing Place<Calls>, _ patience: inout Patience
    ) throws -> OpenFile<Calls>? {
        let folder = place.folder.descriptor
        while true {
            do throws(ErrorNumber) {
                return try OpenFile(place.calls) { (calls) throws(ErrorNumber) in
                    try calls.open(name, in: folder, flags, permissions: 0)
                }
            } catch {
                switch error.rawValue {
                case ENOENT: return nil
                case ELOOP: throw PathMoved()
                case EAGAIN:
                    guard let pause = patience.nextPause() else { throw FileError(error, place.path, .open) }
                    place.calls.pause(microseconds: pause)
                case ENXIO: throw refusal(name, at: place, error)
                default: throw FileError(error, place.path, .open)
                }
            }
        }
    }

    /// Sockets, and devices that are not there, cannot even be opened to see what they are.
    private static func refusal(
        _ name: String, at place: borrowing Place<Calls>, _ error: ErrorNumber
    ) -> FileError {
        let status = try? place.calls.status(of: name, in: place.folder.descriptor)
        guard case .special(let kind)? = status?.kind else { return FileError(error, place.path, .open) }
        return FileError(.notRegular(kind), place.path, .open, errorNumber: error.rawValue)
    }

    /// Nil when somebody has it open to write, and may close it soon.
    private static func hold(
        _ file: inout OpenFile<Calls>, _ path: String, _ patience: inout Patience
    ) throws(FileError) -> Replacement.Lease? {
        do throws(ErrorNumber) {
            try file.take(.writers)
            return .held
        } catch {
            guard error.rawValue == EAGAIN else { return .unavailable(error.rawValue) }
            guard let pause = patience.nextPause() else { return .writerStayed }
            file.calls.pause(microseconds: pause)
            return nil
        }
    }

    /// Nil when it changed meanwhile.
    private static func read(
        _ file: consuming OpenFile<Calls>, _ path: String, _ lease: Replacement.Lease, limit: Int
    ) throws(FileError) -> FoundVersion? {
        let status = try file.regularStatus(path, limit: limit)
        let bytes = try file.allBytes(status, path)
        if lease != .held {
            guard try file.regularStatus(path, limit: limit) == status else { return nil }
        }
        guard bytes.count == status.identity.size else { return nil }
        return FoundVersion(file: file, status: status, bytes: bytes, lease: lease)
    }
}

extension FoundVersion {
    /// Whether nobody has opened it to write since it was read, as far as that can be known.
    func isUndisturbed() throws(ErrorNumber) -> Bool { lease == .held ? try file.isLeaseWhole() : true }

    /// What it holds now, when those who have it open to write have closed it or two seconds are over.
    mutating func bytesWhenClosed(_ path: String, limit: Int) throws(FileError) -> (bytes: [UInt8], isOpen: Bool) {
        let isOpen = waitUntilClosed()
        let status = try file.regularStatus(path, limit: limit)
        return (try file.allBytes(status, path), isOpen)
    }

    /// Whether somebody still has it open to write.
    private mutating func waitUntilClosed() -> Bool {
        file.giveBackLease()
        if case .unavailable = lease { return false }
        var patience = Patience(longestPause: 2_000)
        while true {
            do throws(ErrorNumber) {
                try file.take(.writers)
                return false
            } catch {
                guard error.rawValue == EAGAIN else { return false }
                guard let pause = patience.nextPause() else { return true }
                file.calls.pause(microseconds: pause)
            }
        }
    }
}

extension OpenFile {
    /// An error unless it is a regular file of `limit` bytes at most.
    func regularStatus(_ path: String, limit: Int) throws(FileError) -> FileStatus {
        let result: FileStatus
        do throws(ErrorNumber) { result = try status() } catch { throw FileError(error, path, .look) }
        try result.requireRegular(path)
        if result.identity.size > limit {
            throw FileError(.tooLarge(size: result.identity.size, limit: limit), path, .look)
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

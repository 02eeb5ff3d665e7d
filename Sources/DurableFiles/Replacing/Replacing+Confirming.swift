internal import Glibc

/// The steps after the exchange: whether it took out what was expected, and whether nobody writes to that any more.
extension Replacing {
    /// Whether the file that came out is the one that was found, and nobody has opened it to write since. Otherwise it
    /// goes back at once: the edit in it was out of sight for some microseconds, and is looked at in its place.
    mutating func confirm(
        _ new: inout NewVersion<Calls>, marked mark: String, of found: inout FoundVersion<Calls>,
        at place: borrowing Place<Calls>
    ) throws -> Bool {
        new.name.letGo()
        var out: FileStatus?
        do {
            out = try status(of: mark, at: place)
            if try isFree(found), let out, out.isSameFile(as: found.status), out.hasSameRights(as: found.status) {
                return true
            }
            try withdraw(&new, marked: mark, of: &found, displacing: out, at: place)
            return false
        } catch {
            // Nothing is known of what came out, so it must not stay out.
            if !(error is Withdrawn) { try? withdraw(&new, marked: mark, of: &found, displacing: out, at: place) }
            throw (error as? Withdrawn)?.reason ?? error
        }
    }

    /// Waits until the name is on the disk; what is wrong if the disk fails.
    mutating func synchroniseName(at place: borrowing Place<Calls>) -> FileError? {
        result.durability = .none
        guard options.durability == .durable else { return nil }
        result.durability = .withoutName
        guard place.isListable else { return nil }
        let folder = place.folder.descriptor
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in try calls.synchronise(folder) }
            result.durability = .complete
            return nil
        } catch {
            // Not every file system can.
            if [EINVAL, EOPNOTSUPP, EBADF, EROFS].contains(error.rawValue) { return nil }
            return FileError(.notDurable, path, .synchronise, errorNumber: error.rawValue)
        }
    }

    /// The old version is kept until it is known that nobody has written to it, and merged if somebody has.
    ///
    /// Who opened it before the exchange could not write while the lease was on it; from the moment it is given back
    /// they can.
    mutating func lookAfter(
        _ found: inout FoundVersion<Calls>, marked mark: String?, at place: borrowing Place<Calls>
    ) throws {
        let isWhole = try tell(path, .hold) { () throws(ErrorNumber) in try found.isUndisturbed() }
        if found.lease == .held, isWhole {
            if let mark { remove(mark, at: place) }
            return
        }
        // Our version is in the place for good: what is made of the old one is an edit, and not what was there before.
        var name = mark
        if found.lease.isOfOpenFile, let mark { name = try keepLate(mark, found.version, at: place) }
        let (bytes, isOpen) = try found.bytesWhenClosed(path, limit: limit)
        if isOpen { writerStayed(name, at: place) }
        if bytes == found.bytes {
            if !isOpen, let name { remove(name, at: place) }
            return
        }
        if !found.lease.isOfOpenFile, let mark { name = try keepLate(mark, found.version, at: place) }
        let version = Mark.Version.inode(of: found.status, Digest(bytes))
        displace(
            bytes, madeOf: found.bytes, name.map { isOpen ? .open($0, version) : .here($0) } ?? .nowhere, at: place)
    }

    mutating func report(_ new: borrowing NewVersion<Calls>, over old: FileStatus?) throws {
        let status = try tell(path, .look) { () throws(ErrorNumber) in try new.file.status() }
        result.contents = FileContents(
            bytes: new.bytes, identity: status.identity, mode: status.permissions, isStable: true)
        if old == nil { result.method = .created } else { result.method = way == .exchange ? .exchanged : .renamed }
        result.partedLinks = max(result.partedLinks, Int(old?.linkCount ?? 1) - 1)
    }
}

extension FileStatus {
    /// Whether nobody has changed who may do what with it, or given it another name.
    func hasSameRights(as other: FileStatus) -> Bool {
        permissions == other.permissions && user == other.user && group == other.group && linkCount == other.linkCount
    }
}

extension Replacement.Lease {
    /// Whether others can have opened the file since, and be known to have.
    fileprivate var isOfOpenFile: Bool { self == .held || self == .writerStayed }
}

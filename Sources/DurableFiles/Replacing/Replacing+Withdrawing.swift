internal import Glibc

/// What went wrong while a version was withdrawn.
struct Withdrawn: Error { let reason: any Error }

/// Taking back a version that came in the way of somebody else's.
extension Replacing {
    /// Exchanges back at once, then sees to it that nothing is lost that others did to our version meanwhile.
    ///
    /// `out` is the file that came out, if that is known: the one that was found, or another.
    mutating func withdraw(
        _ new: inout NewVersion<Calls>, marked mark: String, of found: inout FoundVersion<Calls>,
        displacing out: FileStatus?, at place: borrowing Place<Calls>
    ) throws {
        let wasHidden = new.file.lease == .everybody
        do {
            try putBack(out, marked: mark, for: new, wasHidden: wasHidden, at: place)
            // Whoever broke the lease on the found file waits to open it.
            found.file.giveBackLease()
            let shown = wasHidden ? try undoForWaiting(&new, found, out, at: place) : nil
            // Who writes to it by now is waited for, and that must not be this process.
            new.file.close()
            guard let left = try FoundVersion.find(mark, at: place, limit: limit) else { return }
            if left.status.isSameFile(as: new.status) {
                try takeIn(left, marked: mark, writtenAs: shown ?? new.bytes, at: place)
            } else if wasHidden, let out, left.status.isSameFile(as: out) {
                // Who renamed over ours began with it or, as its writer did, with what was found.
                try takeIn(left, marked: mark, writtenAs: found.bytes, at: place)
            } else {
                displace(left.bytes, madeOf: wasHidden ? nil : new.bytes, .here(mark), at: place)
            }
        } catch {
            throw Withdrawn(reason: error)
        }
    }

    /// Where somebody has renamed a file over our version, which nobody could read, that file belongs into the place:
    /// out of sight for a moment only, it would be missing in what its own writer reads and writes next.
    private func putBack(
        _ out: FileStatus?, marked mark: String, for new: borrowing NewVersion<Calls>, wasHidden: Bool,
        at place: borrowing Place<Calls>
    ) throws {
        if wasHidden, out != nil, let there = try status(of: place.name, at: place),
            !there.isSameFile(as: new.status)
        {
            return
        }
        try exchangeBack(mark, at: place)
        guard wasHidden, let out, let hidden = try status(of: mark, at: place), !hidden.isSameFile(as: new.status)
        else { return }
        try exchangeBack(mark, at: place)
        // Somebody was there again; the latest one stays.
        if let hidden = try status(of: mark, at: place), !hidden.isSameFile(as: out) {
            try exchangeBack(mark, at: place)
        }
    }

    private func exchangeBack(_ mark: String, at place: borrowing Place<Calls>) throws {
        let folder = place.folder.descriptor
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in try calls.exchange(mark, place.name, in: folder) }
        } catch {
            // Somebody has removed our version, or what is marked. Then the other file just gets its name back.
            guard error.rawValue == ENOENT else { throw FileError(error, path, .exchange) }
            try? uninterrupted { () throws(ErrorNumber) in
                try calls.rename(mark, toFree: place.name, in: folder)
            }
        }
    }

    /// Somebody who waits to open our version found it under the name of the file. It is made what is there by now
    /// before it is let go, as if it had never been: what they make of it lacks nothing, and has nothing of ours that
    /// is to come once more. The bytes it has then; nil when nobody waits.
    private func undoForWaiting(
        _ new: inout NewVersion<Calls>, _ found: borrowing FoundVersion<Calls>, _ out: FileStatus?,
        at place: borrowing Place<Calls>
    ) throws -> [UInt8]? {
        let isWhole = try tell(path, .hold) { () throws(ErrorNumber) in try new.file.isLeaseWhole() }
        if isWhole { return nil }
        var bytes = found.bytes
        if out?.isSameFile(as: found.status) != true,
            let there = try FoundVersion.find(place.name, at: place, limit: limit)
        {
            bytes = there.bytes
        }
        try tell(path, .write) { () throws(ErrorNumber) in
            try new.file.write(bytes[...], at: 0)
            try new.file.setSize(bytes.count)
        }
        return bytes
    }

    /// What lies under the mark now is removed, unless somebody has written to it, or may yet.
    private mutating func takeIn(
        _ left: borrowing FoundVersion<Calls>, marked mark: String, writtenAs known: [UInt8],
        at place: borrowing Place<Calls>
    ) throws {
        guard left.lease == .writerStayed else {
            if left.bytes == known { return remove(mark, at: place) }
            return displace(left.bytes, madeOf: known, .here(mark), at: place)
        }
        let late = try keepLate(mark, .inode(of: left.status, Digest(known)), at: place)
        writerStayed(late, at: place)
        if left.bytes != known { displace(left.bytes, madeOf: known, .open(late, left.version), at: place) }
    }
}

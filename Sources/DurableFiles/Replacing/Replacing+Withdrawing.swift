internal import Glibc

/// What went wrong while a version was withdrawn.
struct Withdrawn: Error { let reason: any Error }

/// Taking back a version that came in the way of somebody else's.
extension Replacing {
    /// Exchanges back at once, then sees to it that nothing is lost that others did to our version meanwhile.
    ///
    /// `isOther` says whether the file that came out is another than the one that was found.
    mutating func withdraw(
        _ new: inout NewVersion<Calls>, marked mark: String, of found: inout FoundVersion<Calls>, isOther: Bool,
        at place: borrowing Place<Calls>
    ) throws {
        do {
            try exchangeBack(mark, at: place)
            // Whoever broke the lease on the found file waits to open it.
            found.file.giveBackLease()
            let rewritten = isOther ? try mergeForWaiting(&new, at: place) : nil
            let wasHidden = new.file.lease == .everybody && rewritten == nil
            // Who writes to it by now is waited for, and that must not be this process.
            new.file.close()
            try takeIn(new, marked: mark, rewritten, wasHidden: wasHidden && isOther, at: place)
        } catch {
            throw Withdrawn(reason: error)
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

    /// Somebody who waits to open our version found it under the name of the file. It is made what will be there next
    /// before it is let go, so that who reads it and writes it back loses nothing: the bytes it has then.
    private mutating func mergeForWaiting(
        _ new: inout NewVersion<Calls>, at place: borrowing Place<Calls>
    ) throws -> [UInt8]? {
        guard new.file.lease != .none else { return nil }
        let isWhole = try tell(path, .hold) { () throws(ErrorNumber) in try new.file.isLeaseWhole() }
        if isWhole { return nil }
        guard let there = try FoundVersion.find(place.name, at: place, limit: limit),
            let bytes = try? caller(FoundFile(contents: there.contents, confirmed: confirmed, displaced: displaced))
        else { return nil }
        try tell(path, .write) { () throws(ErrorNumber) in
            try new.file.write(bytes[...], at: 0)
            try new.file.setSize(bytes.count)
        }
        return bytes
    }

    /// What lies under the mark now: our version, which is removed unless somebody has written to it, or a file that
    /// took the place of ours.
    private mutating func takeIn(
        _ new: borrowing NewVersion<Calls>, marked mark: String, _ rewritten: [UInt8]?, wasHidden: Bool,
        at place: borrowing Place<Calls>
    ) throws {
        guard let out = try FoundVersion.find(mark, at: place, limit: limit) else { return }
        let isOurs = out.status.isSameFile(as: new.status)
        var base = rewritten ?? new.bytes
        if isOurs, out.bytes == base {
            if out.lease == .writerStayed {
                keepLate(mark, out.version, at: place)
            } else {
                remove(mark, at: place)
            }
            return
        }
        // Nobody could read ours, so that they began with what is in the place again.
        if !isOurs, wasHidden, let there = try FoundVersion.find(place.name, at: place, limit: limit) {
            base = there.bytes
        }
        displace(out.bytes, madeOf: base, under: mark, at: place)
    }
}

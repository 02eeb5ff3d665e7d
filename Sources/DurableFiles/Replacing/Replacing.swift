internal import Glibc

/// Replacing a file so that nobody's edit is lost: the steps, and what is done when a step finds that others were there.
///
/// ``attempt(at:)`` is the protocol from its beginning to its end. A try that finds the file changed is given up without
/// a trace and begun anew, with what is there by then.
struct Replacing<Calls: FileCalls> {
    typealias Caller = (FoundFile) throws -> [UInt8]?

    let path: String
    let limit: Int
    let options: ReplaceOptions
    let calls: Calls
    let caller: Caller

    var result = Replacement()
    /// What of ours has been in the file for all to see.
    var confirmed: [UInt8]?
    /// What others wrote that has to go into the next version.
    var displaced: [DisplacedEdit] = []
    /// The names under which that lies until it has.
    var kept: [String] = []
    var keptElsewhere: [String] = []
    /// The names with marks in the folder when this is done.
    var marks: [String] = []
    /// The best way that has not proved impossible here.
    var way = Way.exchange

    /// How often a try was given up because somebody wanted to open the file.
    var disturbances = 0

    /// From the one that loses nothing to the one that works nearly everywhere.
    enum Way { case exchange, rename, overwrite }

    /// How a try ended.
    enum Outcome {
        case done
        /// Others wrote meanwhile.
        case again
        /// The path leads to another folder by now.
        case elsewhere
    }

    private static var mostFolders: Int { 10 }
    private static var mostTries: Int { 1_000 }
    private static var mostDisturbances: Int { 10 }

    init(_ path: String, limit: Int, options: ReplaceOptions, calls: Calls, caller: @escaping Caller) {
        (self.path, self.limit, self.options, self.calls, self.caller) = (path, limit, options, calls, caller)
    }

    mutating func run() throws -> Replacement {
        for _ in 0..<Self.mostFolders {
            var place = try Place.find(path, createsFolders: options.createsFolders, calls: calls)
            result.lock = lockWaiting(&place.folder)
            if try replace(at: place) { return result }
            confirmed = nil
        }
        throw FileError(.restless, path, .open)
    }

    /// Under the lock of the folder. False when the path leads elsewhere by now.
    private mutating func replace(at place: borrowing Place<Calls>) throws -> Bool {
        try clearAway(at: place)
        way = calls.onlyGrows(place.folder.descriptor) ? .overwrite : .exchange
        for _ in 0..<Self.mostTries {
            do {
                switch try attempt(at: place) {
                case .again: continue
                case .elsewhere: return false
                case .done:
                    remember(place)
                    return true
                }
            } catch is PathMoved {
                return false
            }
        }
        throw FileError(ErrorNumber(EAGAIN), path, .exchange)
    }

    private mutating func attempt(at place: borrowing Place<Calls>) throws -> Outcome {
        guard var found = try FoundVersion.find(place.name, at: place, limit: limit) else {
            return try create(at: place)
        }
        result.lease = found.lease
        guard let bytes = try ask(FoundFile(contents: found.contents, confirmed: confirmed, displaced: displaced))
        else { return leave(found.contents, at: place) }
        if bytes == found.bytes { return try keep(found, at: place) }
        try requireWritable(at: place)
        if way != .overwrite, !keepsLinks(found.status) {
            do {
                return try supersede(&found, by: bytes, at: place)
            } catch is NamesAreFixed {
                // Nothing has changed, so that the caller's answer is still good.
                way = .overwrite
            }
        }
        return try overwrite(found, with: bytes, at: place)
    }

    /// Puts a file of its own in the place of the one that was found.
    private mutating func supersede(
        _ found: inout FoundVersion<Calls>, by bytes: [UInt8], at place: borrowing Place<Calls>
    ) throws -> Outcome {
        var new = try prepare(bytes, like: found, at: place)
        guard try isUntouched(&found, at: place) else { return .again }
        guard try leads(to: found.status, at: place) else { return .elsewhere }
        let mark = try mark(&new, against: found, at: place)
        withhold(&new)
        guard try putInPlace(&new, marked: mark, of: &found, at: place) else { return .again }

        new.file.giveBackLease()
        let problem = synchroniseName(at: place)
        written(bytes, isSafe: problem == nil, at: place)
        try lookAfter(&found, marked: way == .exchange ? mark : nil, at: place)
        if let problem { throw problem }
        try report(new, over: found.status)
        if !displaced.isEmpty { return .again }
        return try leads(to: new.status, at: place) ? .done : .elsewhere
    }
}

// The steps, in the order of the protocol.
extension Replacing {
    /// Nil when the file is to stay as it is.
    mutating func ask(_ found: FoundFile) throws -> [UInt8]? {
        guard let bytes = try caller(found) else { return nil }
        result.tries += 1
        return bytes
    }

    mutating func prepare(
        _ bytes: [UInt8], like found: borrowing FoundVersion<Calls>, at place: borrowing Place<Calls>
    ) throws -> NewVersion<Calls> {
        let old = Blueprint.OldVersion(descriptor: found.file.descriptor, status: found.status)
        return try NewVersion.prepare(
            Blueprint(path: path, bytes: bytes, permissions: 0, isDurable: options.durability == .durable, old: old),
            for: place.name, in: place.folder, lost: &result.lostAttributes)
    }

    /// A look that costs little, and spares others the sight of a version that is withdrawn a moment later.
    private mutating func isUntouched(
        _ found: inout FoundVersion<Calls>, at place: borrowing Place<Calls>
    ) throws -> Bool {
        let isFree = try isFree(found)
        let now = try status(of: place.name, at: place)
        if isFree, let now, now.isSameFile(as: found.status), now.identity.size == found.status.identity.size,
            now.identity.modified == found.status.identity.modified
        {
            return true
        }
        found.file.giveBackLease()
        return false
    }

    /// Whether nobody wants to open the file to write. Where that happens again and again, they are let wait until the
    /// new version is in its place: then they open the old one, and what they write to it is merged.
    private mutating func isFree(_ found: borrowing FoundVersion<Calls>) throws -> Bool {
        if try tell(path, .hold, { () throws(ErrorNumber) in try found.isUndisturbed() }) { return true }
        disturbances += 1
        return disturbances > Self.mostDisturbances
    }

    /// Whether the path still leads to that file. When another one has just taken its name in the folder, it does.
    func leads(to file: FileStatus, at place: borrowing Place<Calls>) throws -> Bool {
        if let there = try status(at: path), there.isSameFile(as: file) { return true }
        return try status(of: place.name, at: place).map { !$0.isSameFile(as: file) } ?? true
    }

    /// Gives the new version a name that tells what both are, for whoever finds it after a crash.
    private func mark(
        _ new: inout NewVersion<Calls>, against found: borrowing FoundVersion<Calls>, at place: borrowing Place<Calls>
    ) throws -> String {
        let mark = Mark(.swap(new: new.version, expected: found.version)).name(for: place.name)
        try new.take(mark, in: place.folder, path)
        return mark
    }

    /// Nobody is to read a version that may be withdrawn. Where there are no leases, somebody may.
    private func withhold(_ new: inout NewVersion<Calls>) {
        do throws(ErrorNumber) { try new.file.take(.everybody) } catch {}
    }

    /// False when what was there is not what was found; then nothing has changed.
    private mutating func putInPlace(
        _ new: inout NewVersion<Calls>, marked mark: String, of found: inout FoundVersion<Calls>,
        at place: borrowing Place<Calls>
    ) throws -> Bool {
        if way == .exchange, try exchange(mark, at: place) {
            return try confirm(&new, marked: mark, of: &found, at: place)
        }
        if way == .exchange { return false }
        let folder = place.folder.descriptor
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in try calls.rename(mark, to: place.name, in: folder) }
        } catch {
            throw NamesAreFixed(error, .exchange) ?? FileError(error, path, .exchange)
        }
        new.name.letGo()
        return true
    }

    /// False where there is no file any more, or the file system cannot: then it has to be done another way.
    private mutating func exchange(_ mark: String, at place: borrowing Place<Calls>) throws -> Bool {
        let folder = place.folder.descriptor
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in try calls.exchange(mark, place.name, in: folder) }
            return true
        } catch {
            switch error.rawValue {
            case ENOENT: return false
            case EINVAL, ENOSYS, EOPNOTSUPP:
                way = .rename
                return false
            default: throw NamesAreFixed(error, .exchange) ?? FileError(error, path, .exchange)
            }
        }
    }

    /// Whether the file that came out is the one that was found, and nobody has opened it to write since. Otherwise it
    /// goes back at once: the edit in it was out of sight for some microseconds, and is looked at in its place.
    private mutating func confirm(
        _ new: inout NewVersion<Calls>, marked mark: String, of found: inout FoundVersion<Calls>,
        at place: borrowing Place<Calls>
    ) throws -> Bool {
        new.name.letGo()
        do {
            let out = try status(of: mark, at: place)
            if try isFree(found), let out, out.isSameFile(as: found.status) { return true }
            let isOther = out.map { !$0.isSameFile(as: found.status) } ?? true
            try withdraw(&new, marked: mark, of: &found, isOther: isOther, at: place)
            return false
        } catch {
            // Nothing is known of what came out, so it must not stay out.
            if !(error is Withdrawn) { try? withdraw(&new, marked: mark, of: &found, isOther: true, at: place) }
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
    private mutating func lookAfter(
        _ found: inout FoundVersion<Calls>, marked mark: String?, at place: borrowing Place<Calls>
    ) throws {
        let isWhole = try tell(path, .hold) { () throws(ErrorNumber) in try found.isUndisturbed() }
        if found.lease == .held, isWhole {
            if let mark { remove(mark, at: place) }
            return
        }
        let (bytes, isOpen) = try found.bytesWhenClosed(path, limit: limit)
        if isOpen {
            result.lease = .writerStayed
            if let mark { keepLate(mark, .inode(of: found.status, Digest(bytes)), at: place) }
        }
        if bytes != found.bytes {
            displace(bytes, madeOf: found.bytes, under: isOpen ? nil : mark, at: place)
        } else if !isOpen, let mark {
            remove(mark, at: place)
        }
    }

    /// To be given to the caller with the next question.
    mutating func displace(
        _ bytes: [UInt8], madeOf base: [UInt8]?, under mark: String?, at place: borrowing Place<Calls>
    ) {
        displaced.append(DisplacedEdit(base: base, bytes: bytes, path: mark.map { place.path(of: $0) }))
        if let mark { kept.append(mark) }
    }

    /// Under another name, of which a later replacement knows what to make.
    mutating func keepLate(_ mark: String, _ version: Mark.Version, at place: borrowing Place<Calls>) {
        let (name, folder) = (Mark(.late(version)).name(for: place.name), place.folder.descriptor)
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in try calls.rename(mark, toFree: name, in: folder) }
            result.leftOvers.append(place.path(of: name))
            marks.append(name)
        } catch {
            result.leftOvers.append(place.path(of: mark))
            marks.append(mark)
        }
    }

    mutating func report(_ new: borrowing NewVersion<Calls>, over old: FileStatus?) throws {
        let status = try tell(path, .look) { () throws(ErrorNumber) in try new.file.status() }
        result.contents = FileContents(
            bytes: new.bytes, identity: status.identity, mode: status.permissions, isStable: true)
        if old == nil { result.method = .created } else { result.method = way == .exchange ? .exchanged : .renamed }
        result.partedLinks = Int(old?.linkCount ?? 1) - 1
    }
}

internal import Glibc

/// The steps of a replacement until the new version is in its place, in their order.
extension Replacing {
    /// Nil when the file is to stay as it is.
    mutating func ask(_ found: FoundFile) throws -> [UInt8]? {
        guard let bytes = try caller(found) else { return nil }
        result.tries += 1
        return bytes
    }

    mutating func prepare(
        _ bytes: [UInt8], like found: borrowing FoundVersion<Calls>, _ lost: inout Set<Replacement.Attribute>,
        at place: borrowing Place<Calls>
    ) throws -> NewVersion<Calls> {
        let old = Blueprint.OldVersion(descriptor: found.file.descriptor, status: found.status)
        return try NewVersion.prepare(
            blueprint(bytes, permissions: 0, old),
            for: place.name, in: place.folder, lost: &lost)
    }

    func blueprint(_ bytes: [UInt8], permissions: UInt32, _ old: Blueprint.OldVersion? = nil) -> Blueprint {
        Blueprint(
            path: path, bytes: bytes, permissions: permissions, isDurable: options.durability == .durable,
            isNamed: !takesUnnamed, old: old, note: note)
    }

    /// A look that costs little, and spares others the sight of a version that is withdrawn a moment later.
    mutating func isUntouched(
        _ found: inout FoundVersion<Calls>, at place: borrowing Place<Calls>
    ) throws -> Bool {
        let isFree = try isFree(found)
        let now = try status(of: place.name, at: place)
        // All of it: who may read the file can have been changed too.
        if isFree, now == found.status { return true }
        found.file.giveBackLease()
        return false
    }

    /// Whether nobody wants to open the file to write. Where that happens again and again, they are let wait until the
    /// new version is in its place: then they open the old one, and what they write to it is merged.
    mutating func isFree(_ found: borrowing FoundVersion<Calls>) throws -> Bool {
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
    func mark(
        _ new: inout NewVersion<Calls>, against found: borrowing FoundVersion<Calls>, at place: borrowing Place<Calls>
    ) throws -> String {
        let mark = Mark(.swap(new: new.version, expected: found.version)).name(for: place.name)
        try new.take(mark, in: place.folder, path)
        return mark
    }

    /// Nobody is to read a version that may be withdrawn. Where there are no leases, somebody may.
    func withhold(_ new: inout NewVersion<Calls>) {
        do throws(ErrorNumber) { try new.file.take(.everybody) } catch {}
    }

    /// False when what was there is not what was found; then nothing has changed.
    mutating func putInPlace(
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
    mutating func exchange(_ mark: String, at place: borrowing Place<Calls>) throws -> Bool {
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
}

internal import Glibc

/// Writing into the file itself: where names cannot be changed, or must not be.
///
/// A copy of both versions is on the disk before, and goes after: from it the next replacement mends what a crash left
/// half written. Where there are leases nobody can open the file until all is written, so that nobody sees a half.
extension Replacing {
    mutating func overwrite(
        _ found: consuming FoundVersion<Calls>, with bytes: [UInt8], at place: borrowing Place<Calls>
    ) throws -> Outcome {
        let (status, old) = (found.status, found.bytes)
        // Nobody may have it open while it is kept from everybody, not even this process.
        _ = consume found
        var lease = Replacement.Lease.held
        guard var target = try openTarget(status, holding: old, at: place, &lease) else { return .again }
        let rescue = try copy(old, bytes, of: target, status, at: place)
        let attributes = attributeNames(of: target)
        try write(bytes, over: old, into: target, rescue)
        note?.write(to: target)
        let after = try tell(path, .look) { () throws(ErrorNumber) in try target.status() }
        target.giveBackLease()
        if !rescue.remove() { result.leftOvers.append(rescue.path) }

        written(bytes, isSafe: true, at: place)
        result.method = .overwritten
        if result.lease != .writerStayed { result.lease = lease }
        result.durability = options.durability == .durable ? .complete : .none
        result.lostAttributes.formUnion(attributes.subtracting(attributeNames(of: target)).map { .extended($0) })
        if after.permissions != status.permissions { result.lostAttributes.insert(.permissions) }
        result.contents = FileContents(
            bytes: bytes, identity: after.identity, mode: after.permissions, isStable: true)
        return try leads(to: after, at: place) ? .done : .elsewhere
    }

    /// The kernel takes some from whatever is written to: capabilities, and the bits that run it as its owner.
    private func attributeNames(of target: borrowing OpenFile<Calls>) -> Set<String> {
        let descriptor = target.descriptor
        let names = try? uninterrupted { () throws(ErrorNumber) in try calls.attributeNames(of: descriptor) }
        return Set(names ?? [])
    }

    /// For a version that a crash has torn.
    func writeInPlace(
        _ bytes: [UInt8], over torn: consuming FoundVersion<Calls>, at place: borrowing Place<Calls>
    ) throws {
        let (status, old) = (torn.status, torn.bytes)
        _ = consume torn
        var lease = Replacement.Lease.held
        guard let target = try openTarget(status, holding: old, at: place, &lease) else {
            throw FileError(ErrorNumber(EAGAIN), path, .exchange)
        }
        try tell(path, .write) { () throws(ErrorNumber) in
            try target.write(bytes[...], at: 0)
            try target.setSize(bytes.count)
        }
        try synchronise(target)
    }

    /// The file, kept from everybody where that is possible; nil when it is not what was found any more.
    private func openTarget(
        _ status: FileStatus, holding old: [UInt8], at place: borrowing Place<Calls>, _ lease: inout Replacement.Lease
    ) throws -> OpenFile<Calls>? {
        let folder = place.folder.descriptor
        var target: OpenFile<Calls>
        do throws(ErrorNumber) {
            target = try OpenFile(calls) { (calls) throws(ErrorNumber) in
                try calls.open(
                    place.name, in: folder, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, permissions: 0)
            }
        } catch {
            switch error.rawValue {
            case EAGAIN, ENOENT: return nil
            case ELOOP: throw PathMoved()
            default: throw FileError(error, path, .write)
            }
        }
        lease = hide(&target)
        let there = try target.regularStatus(path, limit: max(limit, old.count))
        guard there.isSameFile(as: status), try target.allBytes(there, path) == old else { return nil }
        return target
    }

    /// Somebody who only reads it may keep it open for ever, and is not waited for long.
    private func hide(_ target: inout OpenFile<Calls>) -> Replacement.Lease {
        var patience = Patience(limit: 100_000, longestPause: 5_000)
        while true {
            do throws(ErrorNumber) {
                try target.take(.everybody)
                return .held
            } catch {
                guard error.rawValue == EAGAIN, let pause = patience.nextPause() else {
                    return .unavailable(error.rawValue)
                }
                calls.pause(microseconds: pause)
            }
        }
    }

    /// What is beyond the old end first: when there is no room, nothing has been touched.
    private func write(
        _ bytes: [UInt8], over old: [UInt8], into target: borrowing OpenFile<Calls>, _ rescue: borrowing Rescue<Calls>
    ) throws(FileError) {
        do throws(FileError) {
            try tell(path, .write) { () throws(ErrorNumber) in
                try target.write(bytes.dropFirst(old.count), at: old.count)
                try target.write(bytes.prefix(old.count), at: 0)
                if bytes.count < old.count { try target.setSize(bytes.count) }
            }
            try synchronise(target)
        } catch {
            // As it was before. If even that fails, the copy stays, and the next replacement tries.
            if (try? restore(old, after: bytes, into: target)) != nil { rescue.remove() }
            throw error
        }
    }

    private func restore(
        _ old: [UInt8], after bytes: [UInt8], into target: borrowing OpenFile<Calls>
    ) throws(FileError) {
        try tell(path, .write) { () throws(ErrorNumber) in
            if bytes.count > old.count { try target.setSize(old.count) }
            try target.write(old[...], at: 0)
        }
        try synchronise(target)
    }
}

// The copy.
extension Replacing {
    private func copy(
        _ old: [UInt8], _ new: [UInt8], of target: borrowing OpenFile<Calls>, _ status: FileStatus,
        at place: borrowing Place<Calls>
    ) throws -> Rescue<Calls> {
        func version(_ bytes: [UInt8]) -> Mark.Version {
            Mark.Version(inode: UInt64(bytes.count), digest: Digest(bytes))
        }
        let mark = Mark(.rescue(old: version(old), new: version(new)))
        // Who may read the file may mend it, whoever was writing.
        let shared = blueprint(
            old + new, permissions: 0o600, Blueprint.OldVersion(descriptor: target.descriptor, status: status))
        var refusal = FileError(ErrorNumber(EPERM), path, .create)
        // Where no name can be removed, a copy would stay for ever, and where none can be listed, nobody would find it.
        if place.isListable, !calls.onlyGrows(place.folder.descriptor) {
            do {
                return try Rescue(shared, mark.name(for: place.name), beside: place)
            } catch let error as NamesAreFixed {
                refusal = FileError(error.reason, path, error.operation)
            }
        }
        let folder = RescueFolder(options.rescueFolder, calls: calls)
        do {
            if let elsewhere = try folder.create(path) {
                return try Rescue(
                    blueprint(old + new, permissions: 0o600), mark.name(for: folder.name(for: place)), in: elsewhere,
                    at: folder.path ?? "")
            }
        } catch is NamesAreFixed {}
        // What can be helped is the folder of the file.
        throw refusal
    }
}

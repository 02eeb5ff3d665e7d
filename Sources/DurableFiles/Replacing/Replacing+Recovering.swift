internal import Glibc

/// What replacements have left that did not come to their end, because they were killed or the power failed.
///
/// Under the lock of the folder every mark belongs to one of those: nobody else is at work there.
extension Replacing {
    private enum Finding {
        case gone
        /// Looked at and left alone.
        case stays
        /// Something came between.
        case again
    }

    private static var mostRounds: Int { 10 }

    mutating func clearAway(at place: borrowing Place<Calls>) throws {
        if place.isListable {
            for _ in 0..<Self.mostRounds {
                carried.removeAll(where: \.isInherited)
                let isToBeRepeated = try clearOnce(at: place)
                if !isToBeRepeated { break }
            }
        }
        try clearElsewhere(at: place)
    }

    /// Whether nobody is at work any more who made the copy. Who is keeps it locked.
    private func isAbandoned(_ copy: inout FoundVersion<Calls>) -> Bool {
        switch lockWaiting(&copy.file) {
        case .held: true
        case .timedOut: false
        case .unavailable: result.lock == .held
        }
    }

    /// Whether it has to be done again.
    private mutating func clearOnce(at place: borrowing Place<Calls>) throws -> Bool {
        (marks, result.leftOvers) = (try findMarks(at: place), [])
        for name in marks {
            guard let mark = Mark(name, for: place.name) else { continue }
            // Others may be at work. Who writes in place keeps the copy locked, so that it is known.
            guard result.lock == .held || mark.kind.isRescue else { continue }
            switch try clear(name, mark, at: place) {
            case .gone: marks.removeAll { $0 == name }
            case .stays: if !carried.contains(where: { $0.mark == name }) { leftOver(name, at: place) }
            case .again: return true
            }
        }
        return false
    }

    /// The marks of all files of the folder.
    private func findMarks(at place: borrowing Place<Calls>) throws(FileError) -> [String] {
        let folder = place.folder.descriptor
        let status = try tell(path, .look) { () throws(ErrorNumber) in try calls.status(of: folder) }
        if let known = FolderMemory.marks(in: status) { return known }
        let names = try tell(path, .list) { () throws(ErrorNumber) in
            try calls.names(in: folder, beginningWith: ".")
        }
        return names.filter(Mark.isMark)
    }

    private mutating func clear(
        _ name: String, _ mark: Mark, at place: borrowing Place<Calls>
    ) throws -> Finding {
        if case .new = mark.kind { return removed(name, at: place) }
        guard try isTrusted(name, at: place) else { return .stays }
        guard var left = try findLeft(name, mark, at: place) else { return .stays }
        switch mark.kind {
        case .new: return removed(name, at: place)
        case .swap(let new, let expected): return try clear(name, new, expected, left, at: place)
        case .late(let version):
            if left.lease == .writerStayed { return .stays }
            if version == left.version { return removed(name, at: place) }
            return rescue(left.bytes, of: nil, under: name, at: place)
        case .rescue(let old, let new):
            guard isAbandoned(&left) else { return .stays }
            switch try mend(Versions(left.bytes, old, new), at: place) {
            case .useless: return removed(name, at: place)
            case .needed(let versions): return rescue(versions.new, of: versions.old, under: name, at: place)
            }
        }
    }

    /// Nil for what is nothing of ours, or cannot be looked at now. A copy that cannot be read may be all there is of
    /// the file: without it nothing is done.
    private func findLeft(
        _ name: String, _ mark: Mark, at place: borrowing Place<Calls>
    ) throws -> FoundVersion<Calls>? {
        do {
            return try FoundVersion.find(
                name, at: place, limit: mark.kind.limit(limit), isPatient: mark.kind.isWaitedFor)
        } catch let error as FileError {
            switch error.code {
            case .permission where mark.kind.isRescue: throw error
            case .permission, .directory, .notRegular, .tooLarge, .loop, .busy: return nil
            default: throw error
            }
        } catch is PathMoved {
            return nil
        }
    }

    private mutating func clear(
        _ name: String, _ new: Mark.Version, _ expected: Mark.Version, _ left: borrowing FoundVersion<Calls>,
        at place: borrowing Place<Calls>
    ) throws -> Finding {
        // Who has it open may still write to it: from now on it is not waited for.
        if left.lease == .writerStayed {
            let known = left.status.identity.inode == new.inode ? new : expected
            leftOver(try keepLate(name, known, at: place), at: place)
            return .stays
        }
        // Never in its place, or nothing but the version that was to be replaced.
        if [new, expected].contains(left.version) { return removed(name, at: place) }
        // The power failed before the disk had any of it.
        if left.status.identity.inode == new.inode, left.bytes.allSatisfy({ $0 == 0 }) {
            return removed(name, at: place)
        }
        return try restore(name, new, displacedBy: left, at: place)
    }

    private mutating func leftOver(_ name: String, at place: borrowing Place<Calls>) {
        let path = place.path(of: name)
        if !result.leftOvers.contains(path) { result.leftOvers.append(path) }
    }

    /// Copies of files whose own folder took none.
    private mutating func clearElsewhere(at place: borrowing Place<Calls>) throws {
        let folder = RescueFolder(options.rescueFolder, calls: calls)
        guard let elsewhere = try folder.open(path, for: place) else { return }
        let descriptor = elsewhere.folder.descriptor
        let names = try tell(path, .list) { () throws(ErrorNumber) in
            try calls.names(in: descriptor, beginningWith: Mark.prefix(for: elsewhere.name))
        }
        for name in names {
            guard case .rescue(let old, let new)? = Mark(name, for: elsewhere.name)?.kind else {
                if result.lock == .held { remove(name, at: elsewhere) }
                continue
            }
            let most = Mark(name, for: elsewhere.name)!.kind.limit(limit)
            guard var left = try FoundVersion.find(name, at: elsewhere, limit: most), isAbandoned(&left) else {
                continue
            }
            switch try mend(Versions(left.bytes, old, new), at: place) {
            case .useless: remove(name, at: elsewhere)
            case .needed(let versions):
                let path = elsewhere.path(of: name)
                let edit = DisplacedEdit(base: versions.old, bytes: versions.new, path: path)
                carried.append(Carried(edit: edit, lies: .elsewhere(name), isInherited: true))
            }
        }
    }

    /// What was carried over from there has been written.
    mutating func removeElsewhere(_ name: String, at place: borrowing Place<Calls>) {
        let folder = RescueFolder(options.rescueFolder, calls: calls)
        guard let elsewhere = try? folder.open(path, for: place) else { return }
        remove(name, at: elsewhere)
    }

    private func removed(_ name: String, at place: borrowing Place<Calls>) -> Finding {
        removeMark(name, in: place.folder.descriptor, calls) ? .gone : .stays
    }

    /// Everybody can put a file with such a name into a folder that everybody may write to.
    private func isTrusted(_ name: String, at place: borrowing Place<Calls>) throws -> Bool {
        guard let left = try status(of: name, at: place), left.kind == .regular else { return false }
        let folder = try tell(path, .look) { () throws(ErrorNumber) in try place.folder.status() }
        if folder.permissions & S_IWOTH == 0 { return true }
        let owner = try status(of: place.name, at: place)?.user
        return left.linkCount == 1 && [calls.user, 0, owner].contains(left.user)
    }

    /// Somebody's edit, which was pushed aside by a version of ours. Where that is still in the place as it was written,
    /// it did not return to its caller: the edit takes the place again.
    private mutating func restore(
        _ name: String, _ new: Mark.Version, displacedBy left: borrowing FoundVersion<Calls>,
        at place: borrowing Place<Calls>
    ) throws -> Finding {
        // Through another name it can have been changed long after.
        guard left.status.linkCount == 1,
            let there = try FoundVersion.find(place.name, at: place, limit: limit), there.version == new,
            try tell(path, .hold, { () throws(ErrorNumber) in try there.isUndisturbed() }),
            try status(of: place.name, at: place)?.isSameFile(as: there.status) == true,
            changePlaces(name, at: place)
        else {
            return rescue(left.bytes, of: nil, under: name, at: place)
        }
        // Somebody has renamed a file over ours in the last moment: out of sight it would be missing in what its writer
        // reads and writes next.
        if let out = try status(of: name, at: place), !out.isSameFile(as: there.status) {
            _ = changePlaces(name, at: place)
        }
        return .again
    }

    /// False where that is not allowed, or not any more.
    private func changePlaces(_ name: String, at place: borrowing Place<Calls>) -> Bool {
        let folder = place.folder.descriptor
        do throws(ErrorNumber) {
            try uninterrupted { () throws(ErrorNumber) in try calls.exchange(name, place.name, in: folder) }
            return true
        } catch {
            return false
        }
    }

    private mutating func rescue(
        _ bytes: [UInt8], of base: [UInt8]?, under name: String, at place: borrowing Place<Calls>
    ) -> Finding {
        displace(bytes, madeOf: base, .here(name), isInherited: true, at: place)
        return .stays
    }

    /// What a copy is still good for.
    private enum Use {
        case useless
        case needed(Versions)
    }

    /// A file that was being written in place is half of one version and half of the other, until it is written again.
    /// When it holds anything else, somebody has mended it, and is asked.
    private mutating func mend(_ versions: Versions?, at place: borrowing Place<Calls>) throws -> Use {
        // Not complete: the writing in place had not begun.
        guard let versions else { return .useless }
        guard let there = try FoundVersion.find(place.name, at: place, limit: limit) else { return .needed(versions) }
        if [versions.old, versions.new].contains(there.bytes) {
            // Without the copy the disk must have it.
            try synchronise(there.file)
            return .useless
        }
        guard versions.areMixed(in: there.bytes) else { return .needed(versions) }
        try writeInPlace(versions.new, over: there, at: place)
        return .useless
    }

    /// Until somebody else changes the folder, it need not be looked through again.
    func remember(_ place: borrowing Place<Calls>) {
        let folder = place.folder.descriptor
        guard let status = try? calls.status(of: folder) else { return }
        if result.lock == .held, calls.hasExactTimes(folder) {
            FolderMemory.remember(marks, in: status)
        } else {
            FolderMemory.forget(status)
        }
    }
}

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
        if result.lock == .held {
            for _ in 0..<Self.mostRounds {
                (displaced, kept, keptElsewhere) = ([], [], [])
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
            switch try clear(name, mark, at: place) {
            case .gone: marks.removeAll { $0 == name }
            case .stays: if !kept.contains(name) { result.leftOvers.append(place.path(of: name)) }
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
        return names.filter { $0.utf8.count > 4 && $0.contains(Mark.sign) }
    }

    private mutating func clear(
        _ name: String, _ mark: Mark, at place: borrowing Place<Calls>
    ) throws -> Finding {
        if case .new = mark.kind { return removed(name, at: place) }
        guard try isTrusted(name, at: place) else { return .stays }
        var left: FoundVersion<Calls>
        do {
            guard let found = try FoundVersion.find(name, at: place, limit: .max) else { return .gone }
            left = found
        } catch {
            // A folder, a link, somebody else's file that cannot be read: nothing of ours.
            return .stays
        }
        switch mark.kind {
        case .new: return removed(name, at: place)
        case .swap(let new, let expected):
            // Who has it open may still write to it.
            if left.lease == .writerStayed { return .stays }
            // Never in its place, or nothing but the version that was to be replaced.
            if [new, expected].contains(left.version) { return removed(name, at: place) }
            return try restore(name, new, displacedBy: left, at: place)
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
            guard var left = try FoundVersion.find(name, at: elsewhere, limit: .max), isAbandoned(&left) else {
                continue
            }
            switch try mend(Versions(left.bytes, old, new), at: place) {
            case .useless: remove(name, at: elsewhere)
            case .needed(let versions):
                displaced.append(
                    DisplacedEdit(base: versions.old, bytes: versions.new, path: elsewhere.path(of: name)))
                keptElsewhere.append(name)
            }
        }
    }

    /// What was carried over from there has been written.
    mutating func dropMergedElsewhere(at place: borrowing Place<Calls>) {
        defer { keptElsewhere = [] }
        if keptElsewhere.isEmpty { return }
        let folder = RescueFolder(options.rescueFolder, calls: calls)
        guard let elsewhere = try? folder.open(path, for: place) else { return }
        for name in keptElsewhere { remove(name, at: elsewhere) }
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
        let folder = place.folder.descriptor
        guard let there = try FoundVersion.find(place.name, at: place, limit: .max), there.version == new,
            try tell(path, .hold, { () throws(ErrorNumber) in try there.isUndisturbed() })
        else {
            return rescue(left.bytes, of: nil, under: name, at: place)
        }
        try tell(path, .exchange) { () throws(ErrorNumber) in
            try calls.exchange(name, place.name, in: folder)
        }
        // What came out must be our version; if it is not, the next look sees somebody's edit again.
        return .again
    }

    private mutating func rescue(
        _ bytes: [UInt8], of base: [UInt8]?, under name: String, at place: borrowing Place<Calls>
    ) -> Finding {
        displace(bytes, madeOf: base, under: name, at: place)
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
        guard let there = try FoundVersion.find(place.name, at: place, limit: .max) else { return .needed(versions) }
        if [versions.old, versions.new].contains(there.bytes) { return .useless }
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

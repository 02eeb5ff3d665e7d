internal import DurableFiles
internal import Glibc
internal import Locking
internal import LosslessJSON
internal import SessionMirror

// Each file contains its identifier, from which an index that was removed, emptied or replaced by an older one is
// completed. Nothing here removes an object.
extension Shard {
    /// The files of the objects' directory.
    struct FileList {
        var names: Set<ObjectName>
        /// The files that no entry names: their entry was lost, or an interrupted save or removal left them.
        var orphans: [Orphan] = []
        /// The error of reading one of these files.
        var error: FileError?
    }

    /// A file that no entry names.
    struct Orphan {
        let name: ObjectName
        /// nil if the file is damaged or belongs to another shard.
        let owner: ObjectFile.Owner?

        var version: Int { owner?.version ?? 0 }

        func isOwned(by identifier: String) -> Bool { owner?.isSame(as: identifier) ?? false }
    }

    func listFiles(besides entries: JSONObject) throws(FileError) -> FileList {
        var list = FileList(names: Set(try objects.names().compactMap(ObjectName.init)))
        for name in list.names.subtracting(files(in: entries).map(\.name)) {
            do throws(FileError) {
                // A file removed meanwhile also has no owner; the next listing omits it.
                let owner = try owner(of: name)
                if owner == nil, try isDirectory(name) { continue }
                list.orphans.append(Orphan(name: name, owner: owner.flatMap { belongs($0.identifier) ? $0 : nil }))
            } catch {
                list.error = error
            }
        }
        return list
    }

    enum FileState {
        case missing
        case damaged
        case object(of: ObjectFile.Owner)
    }

    func state(of name: ObjectName) throws(FileError) -> FileState {
        do throws(FileError) {
            guard let contents = try objects.read(name.text, limit: ObjectFile.sizeLimit) else { return .missing }
            let parsed = try? ObjectFile.parsed(contents.bytes, in: path)
            return parsed.map { .object(of: $0.owner) } ?? .damaged
        } catch {
            if error.meansForeignFile { return .damaged }
            throw error
        }
    }

    /// Moves an unusable index to `lost+found`, so that a new one takes its place. Returns whether it was moved.
    func moveUnusableIndex() throws(ObjectStoreError) -> Bool {
        guard case .invalid = session.mirror.status.content else { return false }
        // Read the index again: while other processes keep changing it, it can be usable, and its lists of removed
        // files must not be lost.
        guard let contents = try indexInFile(), (try? JSON(parsing: contents))?.object == nil else { return false }
        let target = try withStoreError { () throws(FileError) -> String? in try moveAway(indexPath) }
        guard let moved = target else { return true }
        // If another process repaired the index before it was moved, move it back, unless there is a new one.
        guard let contents = try? DurableFile(moved).read(limit: ObjectFile.sizeLimit).bytes,
            (try? JSON(parsing: contents))?.object != nil
        else { return true }
        if link(moved, indexPath) == 0 { unlink(moved) }
        session.mirror.reload()
        return true
    }

    /// Completes the index when it is opened, and again if that failed.
    func completeIndex() {
        var failure: ObjectStoreError?
        do throws(ObjectStoreError) {
            let isMoved = try moveUnusableIndex()
            let isLacking = try lacksEntries()
            if isMoved || isLacking { try changeEntries(nil, completion) }
        } catch {
            failure = error
        }
        incompleteness.withLock { [failure] in $0 = failure }
    }

    /// Whether the index in memory lacks entries of files, or has entries of interrupted removals.
    func lacksEntries() throws(ObjectStoreError) -> Bool {
        var entries = session.snapshot.value.object ?? [:]
        let before = entries
        _ = try withStoreError { () throws(FileError) in try complete(&entries) }
        return entries != before
    }

    /// The change that completes the index; returns the identifiers whose entries were added.
    var completion: EntriesChange<[String]> {
        { [self] entries in
            let (added, obsolete) = try complete(&entries)
            // Sync the directory even if a crash came after the files were deleted: otherwise a power failure could
            // restore them without their entry.
            if let obsolete { try objects.removeFiles(obsolete.map(\.text), isDurable: isDurable) }
            return added
        }
    }

    /// Adds an entry for each file whose identifier has none, or one that names an older or a missing file. Removes the
    /// entries of interrupted removals, and those that name a file of another identifier. Returns the identifiers of
    /// the added entries, and the files of interrupted removals; nil if there were no such removals.
    private func complete(
        _ entries: inout JSONObject
    ) throws(FileError) -> (added: [String], obsolete: [ObjectName]?) {
        try removeForeignEntries(&entries)
        let files = try listFiles(besides: entries)
        if let error = files.error { throw error }
        // Keyed by `JSON`, which compares bytes; `String` treats canonically equivalent texts as equal.
        var candidates: [JSON: [(name: ObjectName, owner: ObjectFile.Owner)]] = [:]
        var obsolete: [ObjectName] = []
        for orphan in files.orphans {
            guard let owner = orphan.owner else { continue }
            if case .removed(let names) = Entry(entries[owner.identifier]), names.contains(orphan.name) {
                obsolete.append(orphan.name)
            } else {
                candidates[.init(owner.identifier), default: []].append((orphan.name, owner))
            }
        }
        var added: [String] = []
        for files in candidates.values {
            for (name, owner) in files.sorted(by: { $0.owner.version > $1.owner.version }) {
                let entry = Entry(entries[owner.identifier])
                if let known = entry.name {
                    if let named = try self.owner(of: known) {
                        // The other files are older still.
                        if named.isSame(as: owner.identifier), named.version >= owner.version { break }
                    } else if known.fits(owner.identifier), try !isMissingOrEmpty(known) {
                        break  // a damaged file is an error; an older version must not take its place silently
                    }
                }
                guard case .object = try state(of: name) else { continue }
                entries[owner.identifier] = .init(name.text)
                added.append(owner.identifier)
                break
            }
        }
        var hasRemovals = false
        for identifier in entries.keys {
            if case .removed = Entry(entries[identifier]) { (entries[identifier], hasRemovals) = (nil, true) }
        }
        return (added.sorted(), hasRemovals || !obsolete.isEmpty ? obsolete : nil)
    }

    /// Removes the entries that name a file of another identifier: they were renamed by hand.
    func removeForeignEntries(_ entries: inout JSONObject) throws(FileError) {
        for identifier in entries.keys {
            if let name = Entry(entries[identifier]).name, !name.fits(identifier), let owner = try owner(of: name),
                !owner.isSame(as: identifier), belongs(owner.identifier)
            {
                entries[identifier] = nil
            }
        }
    }

    /// Whether a file is missing, or has no bytes: a power failure may have emptied it.
    private func isMissingOrEmpty(_ name: ObjectName) throws(FileError) -> Bool {
        try objects.statuses(of: [name.text]).first.map { $0.size == 0 } ?? true
    }

    func isDirectory(_ name: ObjectName) throws(FileError) -> Bool {
        try objects.statuses(of: [name.text]).first?.isDirectory ?? false
    }

    /// Whether a file in `lost+found` has the name that a store gives it: the name of the shard, 8 digits, and the name
    /// that the file had.
    static func isLostName(_ name: String) -> Bool {
        let parts = name.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let number = Int(parts[0], radix: 16), (0..<count).contains(number) else {
            return false
        }
        return directoryName(number) == parts[0] && parts[1].utf8.count == 8 && UInt32(parts[1], radix: 16) != nil
            && (parts[2] == "index.json" || ObjectName(String(parts[2])) != nil)
    }

    /// Moves a file of this shard to `lost+found`. Returns its path there; nil if the file does not exist.
    private func moveAway(_ file: String) throws(FileError) -> String? {
        try lostAndFound.create()
        let name = file[file.lastIndex(of: "/")!...].dropFirst()
        let unique = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
        let target = "\(lostAndFound.path)/\(Self.directoryName(number))-\(unique)-\(name)"
        if rename(file, target) != 0 {
            let error = ErrorNumber(errno)
            if error.rawValue == ENOENT, access(file, F_OK) != 0 { return nil }
            throw FileError(error, target, .create)
        }
        return target
    }
}

/// The result of ``ObjectStore/repair(discardingOrphans:)``.
public struct ObjectStoreRepair: Sendable, Equatable {
    /// The identifiers whose lost entries were restored.
    public internal(set) var recovered: [String] = []
    /// The identifiers whose entries were removed, because they named a missing file, or were renamed by hand.
    public internal(set) var missing: [String] = []
    /// The identifiers whose files are damaged. The files stay where they are, until the objects are saved again or
    /// removed.
    public internal(set) var damaged: [String] = []
    /// The files without an entry: where they are now, in `lost+found`, or where they were before they were deleted.
    public internal(set) var orphans: [String] = []
}

extension Shard {
    /// Completes the index, and moves or deletes files that belong to no entry.
    func repair(
        orphansOlderThan gracePeriod: Duration, isDiscarding: Bool
    ) throws(ObjectStoreError) -> ObjectStoreRepair {
        let isMoved = try moveUnusableIndex()
        let wrong = try wrongEntries()
        var repair = ObjectStoreRepair()
        repair.damaged = wrong.damaged
        let isLacking = try lacksEntries()
        if isMoved || isLacking || !wrong.entries.isEmpty {
            (repair.recovered, repair.missing) = try changeEntries(nil) { [self] entries in
                var missing: [String] = []
                for (identifier, entry) in wrong.entries where Entry(entries[identifier]) == entry {
                    entries[identifier] = nil
                    missing.append(identifier)
                }
                return (try completion(&entries), missing.sorted())
            }
        }
        repair.orphans = try repairOrphans(olderThan: gracePeriod, isDiscarding: isDiscarding)
        return repair
    }

    /// Moves or deletes files that belong to no entry, after completing the index; returns their new paths, or the
    /// former ones of deleted files. Also deletes temporary files that interrupted saves have left.
    func repairOrphans(olderThan gracePeriod: Duration, isDiscarding: Bool) throws(ObjectStoreError) -> [String] {
        try withStoreError { () throws(FileError) in
            let interrupted = try objects.statuses(of: objects.interruptedFiles()).filter { $0.age >= gracePeriod }
            try objects.removeFiles(interrupted.map(\.name), isDurable: false)
        }
        let hasOrphans = try withStoreError { () throws(FileError) in
            try !listFiles(besides: session.snapshot.value.object ?? [:]).orphans.isEmpty
        }
        if !hasOrphans { return [] }
        // The change may run again after files were moved.
        let moved = Lock<Set<String>>([])
        try changeEntries(nil) { [self] entries in
            _ = try completion(&entries)
            let orphans = try listFiles(besides: entries).orphans.filter {
                try !isBeingReplaced($0, in: entries, within: gracePeriod)
            }
            for file in try objects.statuses(of: orphans.map(\.name.text)) where file.age >= gracePeriod {
                let path = path(of: ObjectName(file.name)!)  // a name of the list
                if isDiscarding {
                    try objects.removeFiles([file.name], isDurable: false)
                    moved.withLock { _ = $0.insert(path) }
                } else if let target = try moveAway(path) {
                    moved.withLock { _ = $0.insert(target) }
                }
            }
        }
        return moved.withLock { $0.sorted() }
    }

    /// Whether a running save may be about to delete a file: its successor is younger than the grace period.
    private func isBeingReplaced(
        _ orphan: Orphan, in entries: JSONObject, within gracePeriod: Duration
    ) throws(FileError) -> Bool {
        guard let owner = orphan.owner, let current = Entry(entries[owner.identifier]).name else { return false }
        return try objects.statuses(of: [current.text]).first.map { $0.age < gracePeriod } ?? false
    }

    /// The entries that name no file of their identifier, and the identifiers of damaged files. Reads all objects.
    private func wrongEntries() throws(ObjectStoreError) -> (
        entries: [(identifier: String, entry: Entry)], damaged: [String]
    ) {
        var (wrong, damaged): ([(identifier: String, entry: Entry)], [String]) = ([], [])
        for (identifier, value) in session.snapshot.value.object ?? [:] {
            let entry = Entry(value)
            switch entry {
            case .file(let name):
                switch try withStoreError(identifier, { () throws(FileError) in try state(of: name) }) {
                case .object(let owner) where owner.isSame(as: identifier): continue
                // The identifier in the file was changed by hand, or that in the index.
                case .object where name.fits(identifier): damaged.append(identifier)
                case .damaged: damaged.append(identifier)
                case .missing, .object: wrong.append((identifier, entry))
                }
            case .invalid: wrong.append((identifier, entry))
            case .removed, .missing: continue
            }
        }
        return (wrong, damaged.sorted())
    }
}

extension FileError {
    /// Whether the name of an object's file belongs to something that no store writes: a link, a directory, a special
    /// file, or a file that is too large.
    var meansForeignFile: Bool {
        switch code {
        case .directory, .notRegular, .tooLarge: true
        default: false
        }
    }
}

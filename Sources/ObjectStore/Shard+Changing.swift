internal import DurableFiles
internal import Glibc
internal import Locking
internal import LosslessJSON
internal import SessionMirror

// What a change looks at and does in the directory of the objects, it does as a part of the commit, under the
// lock of the index: so a file that no entry names is never one that another process is saving.
extension Shard {
    /// Saves an object in a file of its own, and then the entry. The old file is removed afterwards. Returns the name
    /// of the file, and whether it is new: the old one may have the contents already.
    ///
    /// - Parameter use: What is recorded of a file that has the contents already.
    func save(
        _ contents: NewContents, as identifier: String, recording use: FileUse.Kind?
    ) throws(ObjectStoreError) -> (name: ObjectName, isNew: Bool) {
        var (entry, lowest) = (entry(of: identifier), 0)
        while true {
            // A file that cannot be read gets a successor.
            let old = entry.name.flatMap { try? objects.read($0.text, limit: .max, first: contents.count + 20) }
            if let name = entry.name, let old, contents.isSame(as: old.bytes) {
                // First, so that no process that removes what is over a limit takes it for unused.
                if let use { objects.record(use, of: name.text) }
                if try isSaved(entry, of: identifier) { return (name, false) }
            }
            if let old, let owner = ObjectFile.owner(ofHead: old.bytes), owner.isSame(as: identifier) {
                lowest = max(lowest, owner.version + 1)
            }
            switch try saveFile(contents, version: max(lowest, .now), replacing: entry, as: identifier) {
            case .saved(let name): return (name, true)
            case .superseded(let newer, let version): (entry, lowest) = (newer, max(lowest, version + 1))
            }
        }
    }

    private enum SaveOutcome {
        case saved(ObjectName)
        /// Another process has saved or removed the object, or removed the new file: its entry now, and the highest version
        /// of a file without an entry.
        case superseded(Entry, Int)
    }

    /// Saves an object in a new file, if the entry is still the known one.
    private func saveFile(
        _ contents: NewContents, version: Int, replacing known: Entry, as identifier: String
    ) throws(ObjectStoreError) -> SaveOutcome {
        let name = ObjectName(for: identifier)
        let file = try withStoreError(identifier) { () throws(FileError) in
            // Caches may be removed at any time.
            if try !objects.exists() { try objects.create() }
            return try objects.newFile(contents.bytes(version: version), isDurable: isDurable)
        }
        let (old, highest, isNamed): (Entry, Int, Bool)
        do throws(ObjectStoreError) {
            (old, highest, isNamed) = try changeEntries(identifier) { [self] entries in
                let old = Entry(entries[identifier])
                // This may run again, after the file was found and its entry added.
                if old == .file(name) { return (known, 0, true) }
                // A file that an interrupted save has left must not be the newer one.
                let leftovers = try listFiles(besides: entries).leftovers.filter {
                    $0.isOwned(by: identifier) && $0.name != name
                }
                let highest = leftovers.compactMap { $0.owner?.version }.max() ?? 0
                if old != known || highest >= version { return (old, highest, false) }
                try file.setName(name.text)
                entries[identifier] = .init(name.text)
                return (old, highest, true)
            }
        } catch {
            // The index may have the name although it is not durable yet.
            if self.entry(of: identifier) == .file(name) { file.keep() }
            throw error
        }
        if !isNamed { return .superseded(old, highest) }
        // Where a lock cannot be held for long enough, another process may have taken the file for one without an
        // entry.
        guard try withStoreError(identifier, { () throws(FileError) in try file.isNamed }) else {
            return .superseded(.file(name), version)
        }
        file.keep()
        checkFilesLater { $0.saved[identifier] = name }
        // Fails only if the disk does. Then the file is found as superseded later.
        switch old {
        case .file(let old): try? removeFiles([old], of: identifier)
        case .removed(let names): try? removeFiles(names, of: identifier)
        case .missing, .invalid: break
        }
        return .saved(name)
    }

    /// Whether an entry is on the disk, and no newer file has lost its own.
    private func isSaved(_ entry: Entry, of identifier: String) throws(ObjectStoreError) -> Bool {
        if doubts.withLock({ $0.isChanged }) || incompleteness.withLock({ $0 != nil }) { return false }
        // Another process may have changed it a moment ago.
        guard try entryInFile(of: identifier) == entry else { return false }
        // A commit that could not wait for the disk has left the entry.
        if session.mirror.status.saving != .clean {
            do { try session.flushBlocking() } catch { throw ObjectStoreError(.index(error), identifier, indexPath) }
        }
        return true
    }

    /// Removes files of an identifier. One of another identifier, whose name a person has put into the entry, stays.
    private func removeFiles(_ names: [ObjectName], of identifier: String) throws(FileError) {
        var own: [String] = []
        for name in names where try owner(of: name)?.isSame(as: identifier) == true { own.append(name.text) }
        try objects.removeFiles(own, isDurable: false)
    }

    /// Removes objects; returns the identifiers of the objects that existed.
    ///
    /// - Parameter uses: The last uses of the objects that are removed; one that was used since stays. Nil if that does not
    ///   matter.
    @discardableResult
    func remove(
        _ identifiers: [String], unusedSince uses: [ObjectName: FileTime]? = nil
    ) throws(ObjectStoreError) -> [String] {
        // The list of files first, so that after a crash none of them is taken for one whose entry was lost.
        let removed = try changeEntries(identifiers.first) { [self] entries in
            let files = try listFiles(besides: entries)
            // One of them may be an earlier version, which would come back.
            if let error = files.error { throw error }
            var removed: [String: [ObjectName]] = [:]
            for identifier in identifiers {
                let name = Entry(entries[identifier]).name
                if let uses, name.map({ uses[$0] == nil || uses[$0] != lastUse(of: $0) }) ?? true { continue }
                // Also those that a crash has left, so that none of them comes back.
                let leftovers = files.leftovers.filter { $0.isOwned(by: identifier) }.map(\.name)
                let all = leftovers + (name.map { files.names.contains($0) ? [$0] : [] } ?? [])
                if !all.isEmpty || name != nil { removed[identifier] = all }
                entries[identifier] = all.isEmpty ? nil : .array(.init(all.map { .init($0.text) }))
            }
            return removed
        }
        if removed.isEmpty { return [] }
        var returned: [String] = []
        for (identifier, names) in removed {
            // Where a lock cannot be held for long enough, another process may have been saving one of them; or a person has
            // put an old index back.
            let saved = try entryInFile(of: identifier).name
            if let saved, names.contains(saved) { returned.append(identifier) }
            try withStoreError { () throws(FileError) in
                try removeFiles(names.filter { $0 != saved }, of: identifier)
            }
        }
        if !returned.isEmpty { try remove(returned, unusedSince: uses) }
        if isDurable { try withStoreError { () throws(FileError) in try objects.removeFiles([], isDurable: true) } }
        if removed.values.allSatisfy(\.isEmpty) { return Array(removed.keys) }
        // If this fails, the index is completed when it is opened again. A list that another process has made stays.
        _ = try? changeEntries(nil) { entries in
            for (identifier, names) in removed where Entry(entries[identifier]) == .removed(names) {
                entries[identifier] = nil
            }
        }
        return Array(removed.keys)
    }

    private func lastUse(of name: ObjectName) -> FileTime? { (try? objects.uses(of: [name.text]))?.first?.used }

    /// Changes entries, in the index as it is on the disk, under its lock.
    @discardableResult
    func changeEntries<Result: Sendable>(
        _ identifier: String?, _ change: @escaping EntriesChange<Result>
    ) throws(ObjectStoreError) -> Result {
        do {
            return try session.commitBlocking(indexChange(change))
        } catch let error as FileError {
            throw ObjectStoreError(.file(error), identifier, path)
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw ObjectStoreError(.index(error), identifier, indexPath)
        }
    }

    typealias EntriesChange<Result> = @Sendable (inout JSONObject) throws -> Result

    func indexChange<Result>(_ change: @escaping EntriesChange<Result>) -> @Sendable (inout JSON) throws -> Result {
        { [self] index in
            var entries = index.object!  // the session's check
            if access(indexPath, F_OK) != 0, errno == ENOENT { try removeEntriesWithoutFile(&entries) }
            defer { index = .object(entries) }
            return try change(&entries)
        }
    }

    /// Removes entries without a file: the session recreates a deleted index, but its objects may be deleted, too.
    private func removeEntriesWithoutFile(_ entries: inout JSONObject) throws(FileError) {
        let names = Set(try objects.names().compactMap(ObjectName.init))
        for identifier in entries.keys {
            if let name = Entry(entries[identifier]).name, !names.contains(name) { entries[identifier] = nil }
        }
    }
}

extension Int {
    /// The current time, as a version.
    fileprivate static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Swift.max(0, time.tv_sec * 1_000_000 + time.tv_nsec / 1_000)
    }
}

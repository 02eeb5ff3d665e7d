internal import DurableFiles
internal import Glibc
internal import Locking
internal import LosslessJSON
internal import SessionMirror

// A change lists the directory of the objects and names new files only inside the commit, while the index is locked. So
// a file without an entry is never one that another process is saving.
extension Shard {
    /// Saves an object in a new file, then the entry, and removes the old file. Returns the name of the file, and
    /// whether it is new: the old one may have the contents already.
    ///
    /// - Parameter update: The times to set of a file that has the contents already.
    func save(
        _ contents: NewContents, as identifier: String, touching update: TimeUpdate?
    ) throws(ObjectStoreError) -> (name: ObjectName, isNew: Bool) {
        var (entry, lowest) = (entry(of: identifier), 0)
        if isDurable { try syncParents() }
        while true {
            // Replace a file that cannot be read with a new one.
            let old = entry.name.flatMap { try? objects.read($0.text, limit: .max, first: contents.count + 20) }
            if let name = entry.name, let old, contents.isSame(as: old.bytes) {
                // Set the times first, so that no process that enforces a limit treats the object as unused.
                if let update { objects.setTimes(update, of: name.text) }
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
        /// Another process saved or removed the object, or removed the new file. Has the current entry, and the highest
        /// version of a file without an entry.
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
            return try objects.unnamedFile(contents.bytes(version: version), isDurable: isDurable)
        }
        let (old, orphans, isNamed): (Entry, [Orphan], Bool)
        do throws(ObjectStoreError) {
            (old, orphans, isNamed) = try changeEntries(identifier) { [self] entries in
                try removeForeignEntries(&entries)
                let old = Entry(entries[identifier])
                let orphans = try listFiles(besides: entries).orphans.filter {
                    $0.isOwned(by: identifier) && $0.name != name
                }
                // The change may run again, after the file was found and its entry added.
                if old == .file(name) { return (known, orphans, true) }
                // The new file needs a higher version than files left by interrupted saves.
                if old != known || orphans.highestVersion >= version { return (old, orphans, false) }
                try file.setName(name.text)
                entries[identifier] = .init(name.text)
                return (old, orphans, true)
            }
        } catch {
            // The index may have the name although it is not durable yet, or another process has added it.
            if self.entry(of: identifier) == .file(name)
                || (try? entryInFile(of: identifier)) ?? .file(name) == .file(name)
            {
                file.keep()
            }
            throw error
        }
        if !isNamed { return .superseded(old, orphans.highestVersion) }
        // Another save may have replaced and removed the file already. Where a lock cannot be held for long enough,
        // another process may have removed it as one without an entry.
        guard try withStoreError(identifier, { () throws(FileError) in try file.isNamed }) else {
            return .superseded(.file(name), version)
        }
        file.keep()
        checkFilesLater { $0.saved[.init(identifier)] = name }
        // Include earlier versions that their own save has not removed: a save that starts over no longer knows which
        // one it has replaced. Removing fails only if the disk does. Files that stay are ignored, because their
        // version is lower.
        let superseded = orphans.filter { $0.version < version }.map(\.name)
        switch old {
        case .file(let old): try? removeFiles([old] + superseded, of: identifier)
        case .removed(let names): try? removeFiles(names + superseded, of: identifier)
        case .missing, .invalid: try? removeFiles(superseded, of: identifier)
        }
        return .saved(name)
    }

    /// Whether the entry is on the disk and no newer file lacks an entry.
    private func isSaved(_ entry: Entry, of identifier: String) throws(ObjectStoreError) -> Bool {
        if pendingCheck.withLock({ $0.isChanged }) || incompleteness.withLock({ $0 != nil }) { return false }
        // Another process may have changed it a moment ago.
        guard try entryInFile(of: identifier) == entry else { return false }
        // The entry may come from a commit that could not wait for the disk.
        if session.mirror.status.saving != .clean {
            do { try session.flushBlocking() } catch { throw ObjectStoreError(.index(error), identifier, indexPath) }
        }
        // Another process may have written the entry, and be waiting for the disk still.
        if isDurable {
            try withStoreError(identifier) { () throws(FileError) in
                try objects.synchronize()
                try Directory(path).synchronize()
            }
        }
        return true
    }

    /// Removes files of an identifier. A file of another identifier stays: its name was put into the entry by hand. The
    /// name tells to which identifier a file belongs that is damaged, or in which the identifier was changed by hand.
    private func removeFiles(_ names: [ObjectName], of identifier: String) throws(FileError) {
        var own: [String] = []
        for name in names {
            let isOwn =
                name.fits(identifier) ? try !isDirectory(name) : try owner(of: name)?.isSame(as: identifier) == true
            if isOwn { own.append(name.text) }
        }
        try objects.removeFiles(own, isDurable: false)
    }

    /// Removes objects; returns the identifiers of the objects that existed.
    ///
    /// - Parameter uses: The last uses of the objects; objects used since then stay. nil to remove all of them.
    @discardableResult
    func remove(
        _ identifiers: [String], unusedSince uses: [ObjectName: FileTime]? = nil
    ) throws(ObjectStoreError) -> [String] {
        // Write the list of files first, so that after a crash none of them is mistaken for a file whose entry was
        // lost.
        let removed = try changeEntries(identifiers.first) { [self] entries in
            try removeForeignEntries(&entries)
            let files = try listFiles(besides: entries)
            // One of them may be an earlier version, which would become the object again.
            // What is over a limit is removed all the same.
            if uses == nil, let error = files.error { throw error }
            var removed: [(identifier: String, names: [ObjectName])] = []
            for identifier in identifiers {
                let name = Entry(entries[identifier]).name
                if let uses, name.map({ uses[$0] == nil || uses[$0] != lastUse(of: $0) }) ?? true { continue }
                // Include files left by a crash, so that none of them becomes the object again.
                let orphans = files.orphans.filter { $0.isOwned(by: identifier) }.map(\.name)
                let all = orphans + (name.map { files.names.contains($0) ? [$0] : [] } ?? [])
                if !all.isEmpty || name != nil { removed.append((identifier, all)) }
                entries[identifier] = all.isEmpty ? nil : .array(.init(all.map { .init($0.text) }))
            }
            return removed
        }
        if removed.isEmpty { return [] }
        var returned: [String] = []
        for (identifier, names) in removed {
            // The index may name one of the files again: another process was saving it, where a lock cannot be held for
            // long enough, or an old index was restored.
            let saved = try entryInFile(of: identifier).name
            if let saved, names.contains(saved) { returned.append(identifier) }
            try withStoreError { () throws(FileError) in
                try removeFiles(names.filter { $0 != saved }, of: identifier)
            }
        }
        if !returned.isEmpty { try remove(returned, unusedSince: uses) }
        if isDurable { try withStoreError { () throws(FileError) in try objects.removeFiles([], isDurable: true) } }
        if removed.allSatisfy(\.names.isEmpty) { return removed.map(\.identifier) }
        // If this fails, opening the index again completes it. A list written by another process stays.
        _ = try? changeEntries(nil) { entries in
            for (identifier, names) in removed where Entry(entries[identifier]) == .removed(names) {
                entries[identifier] = nil
            }
        }
        return removed.map(\.identifier)
    }

    private func lastUse(of name: ObjectName) -> FileTime? { (try? objects.statuses(of: [name.text]))?.first?.used }

    /// Changes entries of the index on the disk, while it is locked.
    @discardableResult
    func changeEntries<Result: Sendable>(
        _ identifier: String?, _ change: @escaping EntriesChange<Result>
    ) throws(ObjectStoreError) -> Result {
        do {
            return try session.commitBlocking(indexChange(change))
        } catch let error as FileError {
            throw ObjectStoreError(error, identifier)
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

extension [Shard.Orphan] {
    fileprivate var highestVersion: Int { map(\.version).max() ?? 0 }
}

extension Int {
    /// The current time, as a version.
    fileprivate static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Swift.max(0, time.tv_sec * 1_000_000 + time.tv_nsec / 1_000)
    }
}

internal import DurableFiles
internal import Glibc
internal import LosslessJSON
internal import SessionMirror

// Each file has its identifier, so that an index that was removed, emptied or replaced by an older one is completed again. No
// object is removed here.
extension Shard {
    /// A file that no entry names.
    struct Orphan {
        let name: ObjectName
        /// nil if the file is damaged.
        let identifier: String?
    }

    /// Moves an index that cannot be used out of the way, so that another one takes its place. Nothing of it is lost.
    func moveUnusableIndex() throws(ObjectStoreError) {
        guard case .invalid = session.mirror.status.content else { return }
        // Read again: an index that other processes keep changing can be usable, and its nulls must not be lost.
        if let contents = try indexInFile(), (try? JSON(parsing: contents))?.object == nil {
            try moveAway("index.json")
        }
    }

    /// Adds the entries of files that the index does not have, or has with a file that does not exist. Returns their
    /// identifiers.
    @discardableResult
    func adoptFiles() throws(ObjectStoreError) -> [String] {
        guard let adoption = try adoption() else { return [] }
        return try changeEntries(adoption)
    }

    /// The change of the index that adds the entries of files that it does not have; nil if it has all.
    func adoption() throws(ObjectStoreError) -> EntriesChange<[String]>? {
        let lost = try orphans.filter { orphan in orphan.identifier.map { lacksFile(entry(of: $0)) } ?? false }
        if lost.isEmpty { return nil }
        let newest = newestFiles(of: lost)
        return { [self] entries in
            // Looked at again: other processes may have saved and removed objects since the directory was listed. A file
            // that the index on the disk names is not removed before the index is changed.
            let adopted = newest.filter { lacksFile(Entry(entries[$0.key])) && exists($0.value) }
            for (identifier, name) in adopted { entries[identifier] = .init(name.text) }
            return adopted.keys.sorted()
        }
    }

    /// The files that no entry names.
    var orphans: [Orphan] {
        get throws(ObjectStoreError) {
            let names = try withStoreError { () throws(FileError) in try directory.names() }
            var orphans: [Orphan] = []
            for name in Set(names.compactMap(ObjectName.init)).subtracting(files.map(\.name)) {
                // Removed meanwhile, if it cannot be read.
                guard let contents = try contents(of: name, nil) else { continue }
                let identifier = (try? ObjectFile.parsed(contents.bytes, in: path))?.identifier
                orphans.append(Orphan(name: name, identifier: identifier.flatMap { belongs($0) ? $0 : nil }))
            }
            return orphans
        }
    }

    private func exists(_ name: ObjectName) -> Bool { age(of: name) != nil }

    private func age(of name: ObjectName) -> Duration? { (try? directory.uses(of: [name.text]))?.first?.age }

    func lacksFile(_ entry: Entry) -> Bool {
        switch entry {
        case .file(let name): !exists(name)
        // Being removed.
        case .removed: false
        case .missing, .invalid: true
        }
    }

    private func newestFiles(of orphans: [Orphan]) -> [String: ObjectName] {
        var newest: [String: (name: ObjectName, age: Duration)] = [:]
        for orphan in orphans {
            guard let identifier = orphan.identifier, let age = age(of: orphan.name) else { continue }
            if let known = newest[identifier], known.age <= age { continue }
            newest[identifier] = (orphan.name, age)
        }
        return newest.mapValues(\.name)
    }

    private func moveAway(_ name: String) throws(ObjectStoreError) {
        try withStoreError { () throws(FileError) in try Directory(lostAndFound).create() }
        let target = "\(lostAndFound)/\(path.suffix(2))-\(ObjectName().text.prefix(8))-\(name)"
        if rename("\(path)/\(name)", target) != 0, errno != ENOENT {
            throw ObjectStoreError(.file(FileError(ErrorNumber(errno), target, .create)), nil, path)
        }
    }
}

/// What ``ObjectStore/repair(discardingOrphans:)`` has found.
public struct ObjectStoreRepair: Sendable, Equatable {
    /// The identifiers whose entries were lost, and are there again.
    public internal(set) var recovered: [String] = []
    /// The identifiers whose entries named no file, or not one of theirs, and were removed.
    public internal(set) var missing: [String] = []
    /// The identifiers whose files are damaged. The files stay where they are.
    public internal(set) var damaged: [String] = []
    /// The files that belong to no entry, which were moved to `lost+found`, or discarded.
    public internal(set) var orphans: [String] = []
}

extension Shard {
    /// Completes the index, and moves files away that belong to no entry.
    func repair(
        _ result: inout ObjectStoreRepair, orphansOlderThan gracePeriod: Duration, isDiscarding: Bool
    ) throws(ObjectStoreError) {
        try moveUnusableIndex()
        result.recovered += try adoptFiles()
        let orphans = try orphans
        for orphan in orphans {
            // A younger one may be what another process is saving.
            guard let age = age(of: orphan.name), age >= gracePeriod else { continue }
            if isDiscarding {
                try withStoreError { () throws(FileError) in
                    try directory.removeFiles([orphan.name.text], isDurable: false)
                }
            } else {
                try moveAway(orphan.name.text)
            }
            result.orphans.append("\(path)/\(orphan.name.text)")
        }
        try repairEntries(&result, except: Set(orphans.compactMap(\.identifier)))
    }

    /// Removes entries without a file, and reports damaged files.
    private func repairEntries(_ result: inout ObjectStoreRepair, except orphans: Set<String>) throws(ObjectStoreError)
    {
        for identifier in session.snapshot.value.object?.keys.map(\.self) ?? [] {
            let found = entry(of: identifier)
            switch found {
            case .file(let name):
                if let contents = try contents(of: name, identifier) {
                    let parsed = try? ObjectFile.parsed(contents.bytes, in: path)
                    if parsed?.identifier == identifier { continue }
                    if parsed == nil {
                        result.damaged.append(identifier)
                        continue
                    }
                }
                result.missing.append(identifier)
            case .invalid: result.missing.append(identifier)
            // Another process may be removing the file.
            case .removed where orphans.contains(identifier): continue
            case .removed: break
            case .missing: continue
            }
            _ = try changeEntry(of: identifier) { $0 == found ? nil : $0.value }
        }
        // The file of an entry that was renamed by hand.
        result.recovered += try adoptFiles()
    }
}

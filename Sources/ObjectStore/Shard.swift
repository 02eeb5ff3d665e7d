internal import DurableFiles
internal import Glibc
internal import Locking
internal import LosslessJSON
internal import SessionMirror

/// One of the directories of a store: the files of some objects, and their index.
///
/// The index, `index.json`, has the name of a file for each identifier; while an object is removed, a list of the files
/// that are to be deleted. Splitting the store keeps the cost of a change independent of the number of objects. So does
/// a directory of their own for the objects: replacing the index lists its directory, and watching it sees each change
/// of a file there.
final class Shard: Sendable {
    private let number: Int
    let path: String
    let indexPath: String
    /// The directory of the objects' files.
    let objects: Directory
    let session: Session<JSON>
    let isDurable: Bool
    /// Where files go that are no objects.
    let lostAndFound: Directory
    /// Why lost entries could not be added; nil if they were, or there are none.
    let incompleteness = Lock<ObjectStoreError?>(nil)
    private let subscription = Lock<Subscription?>(nil)
    private let doubts = Lock(Doubts())

    /// The index, opened; nil if there is no directory and `isCreated` is false.
    init?(in store: String, _ number: Int, isCreated: Bool, isDurable: Bool) throws(ObjectStoreError) {
        self.number = number
        path = "\(store)/\(Self.directoryName(number))"
        indexPath = "\(path)/index.json"
        (lostAndFound, self.isDurable) = (Self.lostAndFound(of: store), isDurable)
        objects = Directory("\(path)/\(Self.objectsName)")
        do throws(FileError) {
            if isCreated { try objects.create() } else if try !Directory(path).exists() { return nil }
        } catch {
            throw ObjectStoreError(.file(error), nil, path)
        }
        var options = SessionOptions()
        options.unknownKeys = .ignore
        // What an editor overwrites is found in the files again.
        options.staleWriteWindow = .zero
        options.replacing.durability = isDurable ? .durable : .fast
        options.replacing.createsDirectories = true
        do throws(SessionError) {
            session = try Session(JSON.object([:]), at: indexPath, options: options) { index in
                if index.object == nil { throw ValidationError("the index of a store must be an object") }
            }
        } catch {
            throw ObjectStoreError(.index(error), nil, path)
        }
    }

    /// The number of shards. A hundred thousand objects have indexes of a hundred entries then.
    static let count = 1_024

    private static let objectsName = "objects"

    static func lostAndFound(of store: String) -> Directory { Directory("\(store)/lost+found") }

    /// The path of an object's file.
    func path(of name: ObjectName) -> String { "\(path)/\(Self.objectsName)/\(name.text)" }

    /// Three hexadecimal digits.
    static func directoryName(_ number: Int) -> String { String(String(number + 0x1000, radix: 16).dropFirst()) }

    /// The number of the shard that has an identifier, by FNV-1a.
    static func number(of identifier: String) -> Int {
        let hash = identifier.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
        }
        return Int(truncatingIfNeeded: hash >> 32 ^ hash) & (count - 1)
    }

    /// What the index has for an identifier.
    enum Entry: Equatable {
        case file(ObjectName)
        /// The object is marked as removed; these files are still to be deleted. They are listed because an old index
        /// may be restored, in which other files of the identifier are not meant.
        case removed([ObjectName])
        case missing
        case invalid
    }

    /// The entry in memory, which another process may have changed a moment ago.
    func entry(of identifier: String) -> Entry { Entry(session[identifier]) }

    /// The entry in the file.
    func entryInFile(of identifier: String) throws(ObjectStoreError) -> Entry {
        guard let contents = try indexInFile() else { return .missing }
        // What is not valid is a problem of the session, whose last valid value counts.
        guard let index = try? JSON(parsing: contents) else { return entry(of: identifier) }
        return Entry(index[identifier])
    }

    /// Whether the directory is still there.
    func exists() throws(ObjectStoreError) -> Bool {
        try withStoreError { () throws(FileError) in try Directory(path).exists() }
    }

    /// The index as it is on the disk; nil if it does not exist.
    func indexInFile() throws(ObjectStoreError) -> [UInt8]? {
        do throws(FileError) { return try DurableFile(indexPath).read(limit: ObjectFile.sizeLimit).bytes } catch {
            if error.code == .missing { return nil }
            throw ObjectStoreError(.file(error), nil, path)
        }
    }

    /// Reads the file of an object; nil if it does not exist.
    func contents(of name: ObjectName, _ identifier: String) throws(ObjectStoreError) -> FileContents? {
        try withStoreError(identifier) { () throws(FileError) in
            try objects.read(name.text, limit: ObjectFile.sizeLimit)
        }
    }

    @discardableResult
    func withStoreError<Result>(
        _ identifier: String? = nil, _ body: () throws(FileError) -> Result
    ) throws(ObjectStoreError) -> Result {
        do throws(FileError) { return try body() } catch { throw ObjectStoreError(.file(error), identifier, path) }
    }

    /// The entries in memory that name a file.
    var files: [(identifier: String, name: ObjectName)] { files(in: session.snapshot.value.object ?? [:]) }

    /// The entries that name a file, without those that belong to another shard, which people may have written.
    func files(in entries: JSONObject) -> [(identifier: String, name: ObjectName)] {
        entries.compactMap { identifier, value in
            if belongs(identifier), let name = Entry(value).name { (identifier, name) } else { nil }
        }
    }

    func belongs(_ identifier: String) -> Bool { Self.number(of: identifier) == number }
}

extension Shard.Entry {
    init(_ value: JSON?) {
        self =
            if let value {
                if let names = value.array?.map({ $0.string.flatMap(ObjectName.init) }) {
                    names.contains(nil) ? .invalid : .removed(names.compactMap(\.self))
                } else {
                    value.string.flatMap(ObjectName.init).map { .file($0) } ?? .invalid
                }
            } else { .missing }
    }

    var name: ObjectName? { if case .file(let name) = self { name } else { nil } }
}

// Changing. What a change looks at and does in the directory of the objects, it does as a part of the commit, under the
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
        let name = ObjectName()
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

    /// The owner of a file; nil if it is missing, damaged, or no regular file.
    func owner(of name: ObjectName) throws(FileError) -> ObjectFile.Owner? {
        let head: FileContents?
        do throws(FileError) {
            head = try objects.read(name.text, limit: .max, first: ObjectFile.headLength)
        } catch {
            if case .loop = error.code { return nil }
            throw error
        }
        guard let head else { return nil }
        if let owner = ObjectFile.owner(ofHead: head.bytes) { return owner }
        guard case .object(let owner) = try state(of: name) else { return nil }
        return owner
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

// Changes of the index by others.
extension Shard {
    /// Reasons to check the index against the files.
    struct Doubts {
        /// Whether another program has changed the index.
        var isChanged = false
        /// What this process has saved.
        var saved: [String: ObjectName] = [:]
        /// How often the check has failed.
        var failures = 0
        /// The index of the last change that was observed. An entry that is added and removed between two observations
        /// is not reported.
        var observed: JSON?
        var isCheckScheduled = false
    }

    /// Completes the index some time after another program has changed it: it may have removed entries, or changed them
    /// to files that do not exist.
    func watchEntries() {
        // From the current one, because another thread may have saved something already.
        let new = session.observe("", initial: true) { [weak self] change in
            guard let self else { return }
            doubts.withLock { $0.observed = change.new }
            if change.origin == .external { checkFilesLater { $0.isChanged = true } }
        }
        subscription.withLock { $0 = new }
    }

    /// Records a reason, and schedules one check in 500 ms, when programs that remove files have probably finished.
    func checkFilesLater(_ add: (inout Doubts) -> Void) {
        let isFirst = doubts.withLock { doubts in
            add(&doubts)
            defer { doubts.isCheckScheduled = true }
            return !doubts.isCheckScheduled
        }
        if isFirst { session.run(after: .milliseconds(500)) { [weak self] _ in self?.checkFiles() } }
    }

    private func checkFiles() {
        let (isChanged, saved) = doubts.withLock { doubts in
            doubts.isCheckScheduled = false
            defer { doubts.saved = [:] }
            return (doubts.isChanged, doubts.saved)
        }
        let isLost = saved.contains { entry(of: $0.key).name != $0.value }
        let unobserved = saved.filter { identifier, _ in
            doubts.withLock { Entry($0.observed?[identifier]).name == nil } && entry(of: identifier).name != nil
        }
        if !unobserved.isEmpty { checkFilesLater { $0.saved.merge(unobserved) { newer, _ in newer } } }
        if !isChanged && !isLost { return }
        let isLacking = try? lacksEntries()
        // Without waiting on this thread: the indexes of many shards may change at once.
        if isLacking == true { session.startCommit(indexChange(completion)) }
        let isRepeated = doubts.withLock { doubts in
            doubts.failures = isLacking == false ? 0 : doubts.failures + 1
            let isRepeated = doubts.failures != 0 && doubts.failures <= Self.checkLimit
            doubts.isChanged = isRepeated
            return isRepeated
        }
        // Until the entries are there, or the index cannot be changed.
        if isRepeated { checkFilesLater { $0.isChanged = true } }
    }

    private static let checkLimit = 5
}

extension Int {
    /// The current time, as a version.
    fileprivate static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Swift.max(0, time.tv_sec * 1_000_000 + time.tv_nsec / 1_000)
    }
}

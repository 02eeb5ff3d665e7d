internal import DurableFiles
internal import Locking
internal import LosslessJSON
internal import SessionMirror

/// One of the directories of a store: the files of some objects, and their index.
///
/// The index, `index.json`, has the name of a file for each identifier; null while an object is removed. Splitting the store
/// keeps the cost of a change independent of the number of objects.
final class Shard: Sendable {
    let directory: Directory
    let path: String
    let indexPath: String
    let session: Session<JSON>
    let isDurable: Bool
    /// Where files go that are no objects.
    let lostAndFound: String
    private let subscription = Lock<Subscription?>(nil)
    private let doubts = Lock(Doubts())

    /// The index, opened; nil if there is no directory and `isCreated` is false.
    init?(in store: String, _ number: UInt8, isCreated: Bool, isDurable: Bool) throws(ObjectStoreError) {
        path = "\(store)/\(Self.directoryName(number))"
        indexPath = "\(path)/index.json"
        (lostAndFound, self.isDurable) = ("\(store)/lost+found", isDurable)
        directory = Directory(path)
        do throws(FileError) {
            if isCreated { try directory.create() } else if try !directory.exists() { return nil }
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

    /// The number of shards. A hundred thousand objects have indexes of four hundred entries then.
    static let count = 256

    static func directoryName(_ number: UInt8) -> String { (number < 16 ? "0" : "") + String(number, radix: 16) }

    /// The number of the shard that has an identifier, by FNV-1a.
    static func number(of identifier: String) -> UInt8 {
        let hash = identifier.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
        }
        return UInt8(truncatingIfNeeded: hash >> 32 ^ hash)
    }

    /// What the index has for an identifier.
    enum Entry: Equatable {
        case file(ObjectName)
        case removed
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
        try withStoreError { () throws(FileError) in try directory.exists() }
    }

    /// The index as it is on the disk; nil if it does not exist.
    func indexInFile() throws(ObjectStoreError) -> [UInt8]? {
        do throws(FileError) { return try DurableFile(indexPath).read(limit: ObjectFile.sizeLimit).bytes } catch {
            if error.code == .missing { return nil }
            throw ObjectStoreError(.file(error), nil, path)
        }
    }

    /// Reads the file of an object; nil if it does not exist.
    func contents(
        of name: ObjectName, _ identifier: String?, recording use: FileUse.Kind? = nil
    ) throws(ObjectStoreError) -> FileContents? {
        try withStoreError(identifier) { () throws(FileError) in
            try directory.read(name.text, limit: ObjectFile.sizeLimit, recording: use)
        }
    }

    @discardableResult
    func withStoreError<Result>(
        _ identifier: String? = nil, _ body: () throws(FileError) -> Result
    ) throws(ObjectStoreError) -> Result {
        do throws(FileError) { return try body() } catch { throw ObjectStoreError(.file(error), identifier, path) }
    }

    /// The entries that name a file, without those that belong to another shard, which people may have written.
    var files: [(identifier: String, name: ObjectName)] {
        (session.snapshot.value.object ?? [:]).compactMap { identifier, value in
            if belongs(identifier), let name = Entry(value).name { (identifier, name) } else { nil }
        }
    }

    func belongs(_ identifier: String) -> Bool { path.hasSuffix("/" + Self.directoryName(Self.number(of: identifier))) }
}

extension Shard.Entry {
    init(_ value: JSON?) {
        self =
            if let value {
                if value.isNull {
                    .removed
                } else {
                    value.string.flatMap(ObjectName.init).map { .file($0) } ?? .invalid
                }
            } else { .missing }
    }

    var name: ObjectName? { if case .file(let name) = self { name } else { nil } }
}

// Changing.
extension Shard {
    /// Writes an object's file, and then the entry. The old file is removed afterwards.
    ///
    /// - Parameter use: What is recorded of a file that has the contents already.
    func save(
        _ contents: [UInt8], as identifier: String, recording use: FileUse.Kind?
    ) throws(ObjectStoreError) {
        let name = ObjectName()
        if let old = entry(of: identifier).name,
            try self.contents(of: old, identifier, recording: use)?.bytes == contents
        {
            return
        }
        try withStoreError(identifier) { () throws(FileError) in
            // Caches may be removed at any time.
            if try !directory.exists() { try directory.create() }
            try directory.add(name.text, contents, isDurable: isDurable)
        }
        let old: Entry
        do throws(ObjectStoreError) {
            old = try changeEntry(of: identifier) { _ in .init(name.text) }
        } catch {
            // The index may have the name although it is not durable yet.
            if entry(of: identifier) != .file(name) { try? directory.removeFiles([name.text], isDurable: false) }
            throw error
        }
        checkFilesLater { $0.saved.insert(identifier) }
        // Fails only if the disk does. Then the file is found as superseded later.
        if case .file(let old) = old, old != name { try? directory.removeFiles([old.text], isDurable: false) }
    }

    /// Removes entries and their files; returns the identifiers that had one.
    ///
    /// - Parameter files: The files to remove; an entry that names another one stays. Nil if it does not matter.
    @discardableResult
    func remove(_ identifiers: [String], onlyFiles files: Set<ObjectName>? = nil) throws(ObjectStoreError) -> [String] {
        // Null first, so that the file without an entry is not taken for one whose entry was lost.
        let removed = try changeEntries { entries in
            var removed: [String: ObjectName] = [:]
            for identifier in identifiers {
                let entry = Entry(entries[identifier])
                if let files, entry.name.map(files.contains) != true { continue }
                if let name = entry.name { removed[identifier] = name }
                if entry != .missing { entries[identifier] = .null }
            }
            return removed
        }
        if removed.isEmpty { return [] }
        try withStoreError { () throws(FileError) in
            try directory.removeFiles(removed.values.map(\.text), isDurable: isDurable)
        }
        // An older file that a crash has left would be taken for an object whose entry was lost. Then null stays.
        let orphans = Set(try orphans.compactMap(\.identifier))
        _ = try? changeEntries { entries in
            for identifier in removed.keys where Entry(entries[identifier]) == .removed && !orphans.contains(identifier)
            {
                entries[identifier] = nil
            }
        }
        return Array(removed.keys)
    }

    /// Changes an entry, in the index as it is on the disk; returns what it was.
    @discardableResult
    func changeEntry(
        of identifier: String, _ change: @escaping @Sendable (Entry) -> JSON?
    ) throws(ObjectStoreError) -> Entry {
        try changeEntries { entries in
            let old = Entry(entries[identifier])
            entries[identifier] = change(old)
            return old
        }
    }

    /// Changes entries, in the index as it is on the disk.
    func changeEntries<Result: Sendable>(_ change: @escaping EntriesChange<Result>) throws(ObjectStoreError) -> Result {
        do { return try session.commitBlocking(Self.indexChange(change)) } catch {
            throw ObjectStoreError(.index(error), nil, path)
        }
    }

    typealias EntriesChange<Result> = @Sendable (inout JSONObject) -> Result

    private static func indexChange<Result>(
        _ change: @escaping EntriesChange<Result>
    ) -> @Sendable (inout JSON) -> Result {
        { index in
            var entries = index.object!  // the session's check
            defer { index = .object(entries) }
            return change(&entries)
        }
    }
}

extension Shard.Entry {
    /// The value of the index.
    var value: JSON? {
        switch self {
        case .file(let name): .init(name.text)
        case .removed, .invalid: .null
        case .missing: nil
        }
    }
}

// Changes of the index by others.
extension Shard {
    /// Why files may lack their entries.
    struct Doubts {
        /// Whether another program has changed the index.
        var isChanged = false
        /// What this process has saved. An entry that is removed a moment later is no change for an observer.
        var saved: Set<String> = []
        var isCheckScheduled = false
    }

    /// Adopts files some time after another program has changed the index: it may have removed entries, or changed them to
    /// files that do not exist.
    func watchEntries() {
        let new = session.observe("") { [weak self] change in
            if change.origin == .external { self?.checkFilesLater { $0.isChanged = true } }
        }
        subscription.withLock { $0 = new }
    }

    /// Records a doubt, and checks all of them soon, when the programs that remove files have probably done so.
    func checkFilesLater(_ add: (inout Doubts) -> Void) {
        let isFirst = doubts.withLock { doubts in
            add(&doubts)
            defer { doubts.isCheckScheduled = true }
            return !doubts.isCheckScheduled
        }
        if isFirst { session.run(after: .milliseconds(500)) { [weak self] _ in self?.checkFiles() } }
    }

    private func checkFiles() {
        let doubts = doubts.withLock { doubts in
            defer { doubts = Doubts() }
            return doubts
        }
        guard doubts.isChanged || doubts.saved.contains(where: { entry(of: $0).name == nil }),
            let adoption = try? adoption()
        else { return }
        // Without waiting on this thread: the indexes of many shards may change at once.
        Task { _ = try? await session.commit(Self.indexChange(adoption)) }
    }
}

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
    let session: Session<JSON>
    let isDurable: Bool
    /// Where files go that are no objects.
    let lostAndFound: String
    private let subscription = Lock<Subscription?>(nil)

    /// The index, opened; nil if there is no directory and `isCreated` is false.
    init?(in store: String, _ number: UInt8, isCreated: Bool, isDurable: Bool) throws(ObjectStoreError) {
        path = "\(store)/\(Self.directoryName(number))"
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
        do throws(SessionError) {
            session = try Session(JSON.object([:]), at: "\(path)/index.json", options: options) { index in
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
        let contents = try withStoreError(identifier) { () throws(FileError) in
            try directory.read("index.json", limit: ObjectFile.sizeLimit)
        }
        guard let contents else { return .missing }
        // What is not valid is a problem of the session, whose last valid value counts.
        guard let index = try? JSON(parsing: contents) else { return entry(of: identifier) }
        return Entry(index[identifier])
    }

    /// Reads the file of an object; nil if it does not exist.
    func contents(of name: ObjectName, _ identifier: String?) throws(ObjectStoreError) -> [UInt8]? {
        try withStoreError(identifier) { () throws(FileError) in
            try directory.read(name.text, limit: ObjectFile.sizeLimit)
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
    func save(_ contents: [UInt8], as identifier: String) throws(ObjectStoreError) {
        let name = ObjectName()
        if let old = entry(of: identifier).name, try self.contents(of: old, identifier) == contents { return }
        try withStoreError(identifier) { () throws(FileError) in
            try directory.add(name.text, contents, isDurable: isDurable)
        }
        let old: Entry
        do throws(ObjectStoreError) {
            old = try changeEntry(of: identifier) { _ in .init(name.text) }
        } catch {
            // The index may have the name although it is not durable yet.
            if entry(of: identifier) != .file(name) { _ = try? directory.removeFile(name.text, isDurable: false) }
            throw error
        }
        // Fails only if the disk does. Then the file is found as superseded later.
        if case .file(let old) = old, old != name { _ = try? directory.removeFile(old.text, isDurable: false) }
    }

    /// Removes an entry and its file; returns whether there was one.
    func remove(_ identifier: String) throws(ObjectStoreError) -> Bool {
        // Null first, so that the file without an entry is not taken for one whose entry was lost.
        let old = try changeEntry(of: identifier) { $0 == .missing ? nil : .null }
        guard case .file(let name) = old else { return false }
        try withStoreError(identifier) { () throws(FileError) in
            try directory.removeFile(name.text, isDurable: isDurable)
        }
        // An older file that a crash has left would be taken for an object whose entry was lost. Then null stays.
        if try orphans.contains(where: { $0.identifier == identifier }) { return true }
        _ = try? changeEntry(of: identifier) { $0 == .removed ? nil : $0.value }
        return true
    }

    /// Changes an entry, in the index as it is on the disk; returns what it was.
    func changeEntry(
        of identifier: String, _ change: @escaping @Sendable (Entry) -> JSON?
    ) throws(ObjectStoreError) -> Entry {
        do {
            return try session.commitBlocking { index in
                var entries = index.object!  // the session's check
                let old = Entry(entries[identifier])
                entries[identifier] = change(old)
                index = .object(entries)
                return old
            }
        } catch {
            throw ObjectStoreError(.index(error), identifier, path)
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
    /// Adopts files again when other programs remove entries, or change them to files that do not exist.
    func watchEntries() {
        let new = session.observe("") { [weak self] change in
            guard let self, change.origin == .external, mayHaveLostFiles(change) else { return }
            // Another process may still be removing the file.
            session.run(after: .milliseconds(500)) { [weak self] _ in _ = try? self?.adoptFiles() }
        }
        subscription.withLock { $0 = new }
    }

    private func mayHaveLostFiles(_ change: Change<JSON?>) -> Bool {
        guard let old = change.old?.object, let new = change.new?.object else { return true }
        return old.contains { identifier, value in
            if new[identifier] == value || Entry(value).name == nil { return false }
            return lacksFile(Entry(new[identifier]))
        }
    }
}

internal import DurableFiles
internal import Glibc
internal import Locking
internal import LosslessJSON
internal import SessionMirror

/// A directory of a store: the files of some objects, and their index.
///
/// The index, `index.json`, has the name of a file for each identifier; while an object is removed, a list of the files
/// to be deleted. Splitting the store keeps the cost of a change independent of the number of objects. The objects have
/// a separate directory for the same reason: replacing the index lists the index's directory, and each event in that
/// directory wakes the watch.
final class Shard: Sendable {
    let number: Int
    private let storePath: String
    let path: String
    let indexPath: String
    /// The directory of the objects' files.
    let objects: Directory
    let session: Session<JSON>
    let isDurable: Bool
    /// The directory for unusable indexes and for files without an entry.
    let lostAndFound: Directory
    /// The error of the last attempt to add lost entries; nil if it succeeded.
    let incompleteness = Lock<ObjectStoreError?>(nil)
    let subscription = Lock<Subscription?>(nil)
    let pendingCheck = Lock(PendingFileCheck())
    /// Whether this process has synced the directories that contain the objects' directory and the index.
    let hasSyncedParents = Lock(false)

    /// Opens the index; nil if there is no directory and `isCreated` is false.
    init?(in store: String, _ number: Int, isCreated: Bool, isDurable: Bool) throws(ObjectStoreError) {
        (self.number, storePath) = (number, store)
        path = "\(store)/\(Self.directoryName(number))"
        indexPath = "\(path)/index.json"
        (lostAndFound, self.isDurable) = (Self.lostAndFound(of: store), isDurable)
        objects = Directory("\(path)/\(Self.objectsName)")
        do throws(FileError) {
            if isCreated { try objects.create() } else if try !Directory(path).exists() { return nil }
        } catch {
            throw ObjectStoreError(error, nil)
        }
        var options = SessionOptions()
        options.unknownKeys = .ignore
        // Entries that an editor overwrites are restored from the files.
        options.staleWriteWindow = .zero
        // Callers get the errors.
        options.unobservedProblems = .ignore
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

    /// The number of shards. With 100,000 objects, each index has about 100 entries.
    static let count = 1_024

    private static let objectsName = "objects"

    static func lostAndFound(of store: String) -> Directory { Directory("\(store)/lost+found") }

    /// The path of an object's file.
    func path(of name: ObjectName) -> String { "\(path)/\(Self.objectsName)/\(name.text)" }

    /// Three hexadecimal digits.
    static func directoryName(_ number: Int) -> String { String(String(number + 0x1000, radix: 16).dropFirst()) }

    /// The number of the shard that has an identifier.
    static func number(of identifier: String) -> Int {
        let hash = identifier.identifierHash
        return Int(truncatingIfNeeded: hash >> 32 ^ hash) & (count - 1)
    }

    /// The entry of the index for an identifier.
    enum Entry: Equatable {
        case file(ObjectName)
        /// The object is marked as removed; these files are still to be deleted. The entry lists them because an old
        /// index may be restored, and files that it does not list must stay.
        case removed([ObjectName])
        case missing
        case invalid
    }

    /// The entry in memory. Another process may have changed it a moment ago.
    func entry(of identifier: String) -> Entry { Entry(session[identifier]) }

    /// The entry in the file.
    func entryInFile(of identifier: String) throws(ObjectStoreError) -> Entry {
        guard let contents = try indexInFile() else { return .missing }
        // The session reports an invalid index; use its last valid value.
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
            throw ObjectStoreError(error, nil)
        }
    }

    /// Reads the file of an object; nil if it does not exist.
    func contents(of name: ObjectName, _ identifier: String) throws(ObjectStoreError) -> FileContents? {
        try withStoreError(identifier) { () throws(FileError) in
            try objects.read(name.text, limit: ObjectFile.sizeLimit)
        }
    }

    /// The owner of a file; nil if it is missing, damaged, or no regular file.
    func owner(of name: ObjectName) throws(FileError) -> ObjectFile.Owner? {
        let head: FileContents?
        do throws(FileError) {
            head = try objects.read(name.text, limit: .max, first: ObjectFile.headLength)
        } catch {
            if error.meansForeignFile { return nil }
            throw error
        }
        guard let head else { return nil }
        if let owner = ObjectFile.owner(ofHead: head.bytes) { return owner }
        guard case .object(let owner) = try state(of: name) else { return nil }
        return owner
    }

    /// Waits until the directories of the store and of this shard are on the disk, once per process: another process
    /// may have created them a moment ago.
    func syncParents() throws(ObjectStoreError) {
        if hasSyncedParents.withLock({ $0 }) { return }
        try withStoreError { () throws(FileError) in
            try Directory(storePath).synchronize()
            try Directory(path).synchronize()
        }
        hasSyncedParents.withLock { $0 = true }
    }

    @discardableResult
    func withStoreError<Result>(
        _ identifier: String? = nil, _ body: () throws(FileError) -> Result
    ) throws(ObjectStoreError) -> Result {
        do throws(FileError) { return try body() } catch { throw ObjectStoreError(error, identifier) }
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

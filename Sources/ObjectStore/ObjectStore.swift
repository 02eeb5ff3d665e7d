public import DurableFiles
internal import FileWatching
internal import Glibc
internal import Locking
internal import LosslessJSON
internal import SessionMirror
public import StandardFolders

/// Stores `Codable` values and bytes in files, each under an identifier.
///
/// ```swift
/// let store = ObjectStore(in: Folders.data / "portraits")
/// try await store.save(portrait, as: "user/42/portrait")
/// let portrait = try store.load(Portrait.self, "user/42/portrait")
/// let names = try store.identifiers(under: "user/42/")
/// try await store.remove("user/42/portrait")
/// ```
///
/// An object is any `Codable` value, as JSON, or bytes. An identifier is any text of 1 to 4,096 bytes; it never becomes
/// a part of a path. Several processes may use a store at the same time. When ``save(_:as:)`` has returned, the object
/// survives a crash of the program, and of the system unless the store's durability is `fast`.
///
/// Each object has a file of its own, whose name is never reused. An index, which people can read, has the name for
/// each identifier: see <doc:ObjectStore#Files>.
public final class ObjectStore: Sendable {
    /// The longest identifier, in bytes.
    static let identifierLimit = 4_096

    /// The directory of the store.
    public let path: String
    /// The limits of the store.
    public let limit: Limit
    private let isDurable: Bool
    /// Why the directory is not known.
    private let folderError: FolderError?
    private let shards = Lock<[Int: Shard]>([:])
    let cleaning = Lock(Cleaning())

    /// Creates a store in a directory. Opens nothing until it is used; saving and observing changes create the
    /// directory.
    ///
    /// - Parameters:
    ///   - directory: The path of a directory, for this store alone. A relative path resolves against the working
    ///     directory at initialization.
    ///   - limit: The limits of the store; none by default. Use the same limits in all processes.
    ///   - durability: Whether saving waits for the disk. With `fast`, objects that were saved last can be lost or
    ///     empty after a power failure; use it for caches.
    public convenience init(
        in directory: String, limit: Limit = [], durability: ReplaceOptions.Durability = .durable
    ) {
        self.init(directory, limit, durability, nil)
    }

    private init(
        _ directory: String, _ limit: Limit, _ durability: ReplaceOptions.Durability, _ folderError: FolderError?
    ) {
        self.folderError = folderError
        // The first use throws if the path is invalid.
        path = (try? AbsolutePath.of(directory)) ?? directory
        (self.limit, isDurable) = (limit, durability == .durable)
    }

    /// Creates a store in a folder, as `init(in:limit:durability:)` does for a path.
    ///
    /// ```swift
    /// let images = ObjectStore(in: Folders.cache.images, limit: .count(1_000), durability: .fast)
    /// ```
    ///
    /// If the folder is below the home directory and the user has none, each use throws an ``ObjectStoreError`` that
    /// says so.
    ///
    /// - Parameters:
    ///   - folder: A folder, for this store alone.
    ///   - limit: The limits of the store; none by default. Use the same limits in all processes.
    ///   - durability: Whether saving waits for the disk.
    public convenience init(
        in folder: some Folder, limit: Limit = [], durability: ReplaceOptions.Durability = .durable
    ) {
        let path = folder.path
        self.init(path, limit, durability, folder.location.isKnown ? nil : FolderError(.noHome, path))
    }

    /// The store of this program, in `objects` in `Folders.data`. systemd names no directory for that: a service should
    /// create a store in `Folders.state` instead.
    public static let shared = ObjectStore(in: NamedFolder(location: Folders.data.location.appending("objects")))

    func shard(of identifier: String, isCreated: Bool) throws(ObjectStoreError) -> Shard? {
        guard (1...Self.identifierLimit).contains(identifier.utf8.count) else {
            throw ObjectStoreError(.invalidIdentifier, identifier, path)
        }
        return try shard(Shard.number(of: identifier), isCreated: isCreated)
    }

    func shard(_ number: Int, isCreated: Bool) throws(ObjectStoreError) -> Shard? {
        if let known = shards.withLock({ $0[number] }) { return known }
        if let folderError { throw ObjectStoreError(.folder(folderError), nil, path) }
        if !path.hasPrefix("/") {
            throw ObjectStoreError(FileError(ErrorNumber(EINVAL), path, .open), nil)
        }
        // Opened without the lock, because opening reads files. Another thread may open the same shard.
        guard let new = try Shard(in: path, number, isCreated: isCreated, isDurable: isDurable) else {
            return nil
        }
        new.completeIndex()
        let first = shards.withLock { shards in
            if let first = shards[number] { return first }
            shards[number] = new
            return new
        }
        if first === new { new.watchEntries() }
        return first
    }

    /// Returns the existing shards, or all of them if `areCreated` is true.
    func allShards(areCreated: Bool = false) throws(ObjectStoreError) -> [Shard] {
        var all: [Shard] = []
        for number in 0..<Shard.count {
            if let shard = try shard(number, isCreated: areCreated) { all.append(shard) }
        }
        return all
    }

    /// The shard that has an identifier, created if necessary.
    func openedShard(of identifier: String) throws(ObjectStoreError) -> Shard {
        try shard(of: identifier, isCreated: true)!  // created shards exist
    }
}

// Saving and removing.
extension ObjectStore {
    /// Saves an object. When the method returns, the object is on the disk, unless the store's durability is `fast`.
    /// Writes nothing if the store has the same contents. Cancelling the task does not cancel the save.
    ///
    /// - Throws: An ``ObjectStoreError``. The store then has the previous object, or the new one if only making it
    ///   durable failed.
    public func save(_ object: some Encodable & Sendable, as identifier: String) async throws(ObjectStoreError) {
        try await BlockingWork.run { () throws(ObjectStoreError) in try self.saveBlocking(object, as: identifier) }
    }

    /// Saves an object as ``save(_:as:)`` does, blocking the thread.
    ///
    /// - Throws: The errors of ``save(_:as:)``.
    public func saveBlocking(_ object: some Encodable, as identifier: String) throws(ObjectStoreError) {
        let tree: JSON
        do throws(JSONCodingError) {
            tree = try JSONValueEncoder(conversions: .standard).encode(object)
        } catch {
            throw ObjectStoreError(.unencodable(error), identifier, path)
        }
        guard tree.isNested(atMost: ObjectFile.depthLimit) else {
            throw ObjectStoreError(.nestedTooDeep, identifier, path)
        }
        try saveContents(NewContents(tree, identifier), as: identifier)
    }

    /// Saves bytes, such as an image, or an object that another encoder has encoded.
    ///
    /// - Throws: The errors of ``save(_:as:)``.
    public func save(bytes: some Sequence<UInt8>, as identifier: String) async throws(ObjectStoreError) {
        let bytes = Array(bytes)
        try await BlockingWork.run { () throws(ObjectStoreError) in try self.saveBlocking(bytes: bytes, as: identifier)
        }
    }

    /// Saves bytes as ``save(bytes:as:)`` does, blocking the thread.
    ///
    /// - Throws: The errors of ``save(_:as:)``.
    public func saveBlocking(bytes: some Sequence<UInt8>, as identifier: String) throws(ObjectStoreError) {
        try saveContents(NewContents(bytes: Array(bytes), identifier), as: identifier)
    }

    private func saveContents(_ contents: NewContents, as identifier: String) throws(ObjectStoreError) {
        let most = min(limit.bytes ?? .max, ObjectFile.sizeLimit)
        if contents.count > most {
            throw ObjectStoreError(.overLimit(bytes: contents.count, limit: most), identifier, path)
        }
        let (name, isNew) = try openedShard(of: identifier).save(
            contents, as: identifier, touching: limit.isNone ? nil : .accessAndModification)
        cleanIfDue(afterSaving: isNew ? contents.count : nil, in: name)
    }

    /// Removes an object. Returns whether the object existed, or files of it were left by an interrupted save or
    /// removal.
    ///
    /// - Throws: An ``ObjectStoreError``. If only making the removal durable failed, the object is removed
    ///   nevertheless.
    @discardableResult
    public func remove(_ identifier: String) async throws(ObjectStoreError) -> Bool {
        try await BlockingWork.run { () throws(ObjectStoreError) in try self.removeBlocking(identifier) }
    }

    /// Removes an object as ``remove(_:)`` does, blocking the thread.
    ///
    /// - Throws: The errors of ``remove(_:)``.
    @discardableResult
    public func removeBlocking(_ identifier: String) throws(ObjectStoreError) -> Bool {
        try shard(of: identifier, isCreated: false)?.remove([identifier]).isEmpty == false
    }
}

public import DurableFiles
internal import FileWatching
internal import Glibc
internal import Locking
internal import LosslessJSON
internal import SessionMirror
internal import StandardFolders

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
    public init(in directory: String, limit: Limit = [], durability: ReplaceOptions.Durability = .durable) {
        // The first use throws if the path is invalid.
        path = (try? AbsolutePath.of(directory)) ?? directory
        (self.limit, isDurable) = (limit, durability == .durable)
    }

    /// The store of this program, in `objects` in `Folders.data`.
    public static let shared = ObjectStore(in: Folders.data / "objects")

    private func shard(of identifier: String, isCreated: Bool) throws(ObjectStoreError) -> Shard? {
        guard (1...Self.identifierLimit).contains(identifier.utf8.count) else {
            throw ObjectStoreError(.invalidIdentifier, identifier, path)
        }
        return try shard(Shard.number(of: identifier), isCreated: isCreated)
    }

    func shard(_ number: Int, isCreated: Bool) throws(ObjectStoreError) -> Shard? {
        if let known = shards.withLock({ $0[number] }) { return known }
        if !path.hasPrefix("/") {
            throw ObjectStoreError(.file(FileError(ErrorNumber(EINVAL), path, .open)), nil, path)
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
    public func save(_ object: some Encodable & Sendable, as identifier: String) async throws {
        try await BlockingWork.run { try self.saveBlocking(object, as: identifier) }
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
    public func save(bytes: [UInt8], as identifier: String) async throws {
        try await BlockingWork.run { try self.saveBlocking(bytes: bytes, as: identifier) }
    }

    /// Saves bytes as ``save(bytes:as:)`` does, blocking the thread.
    ///
    /// - Throws: The errors of ``save(_:as:)``.
    public func saveBlocking(bytes: [UInt8], as identifier: String) throws(ObjectStoreError) {
        try saveContents(NewContents(bytes: bytes, identifier), as: identifier)
    }

    private func saveContents(_ contents: NewContents, as identifier: String) throws(ObjectStoreError) {
        let most = min(limit.bytes ?? .max, ObjectFile.sizeLimit)
        if contents.count > most {
            throw ObjectStoreError(.overLimit(bytes: contents.count, limit: most), identifier, path)
        }
        let (name, isNew) = try openedShard(of: identifier).save(
            contents, as: identifier, recording: limit.isNone ? nil : .changed)
        cleanIfDue(afterSaving: isNew ? contents.count : nil, in: name)
    }

    /// Removes an object. Returns whether the object existed, or files of it were left by an interrupted save or
    /// removal.
    ///
    /// - Throws: An ``ObjectStoreError``. If only making the removal durable failed, the object is removed
    ///   nevertheless.
    @discardableResult
    public func remove(_ identifier: String) async throws -> Bool {
        try await BlockingWork.run { try self.removeBlocking(identifier) }
    }

    /// Removes an object as ``remove(_:)`` does, blocking the thread.
    ///
    /// - Throws: The errors of ``remove(_:)``.
    @discardableResult
    public func removeBlocking(_ identifier: String) throws(ObjectStoreError) -> Bool {
        try shard(of: identifier, isCreated: false)?.remove([identifier]).isEmpty == false
    }
}

// Loading.
extension ObjectStore {
    /// Loads an object; nil if there is none, if it is past the age of ``Limit``, or if it was saved as null. Does not
    /// wait for saving.
    ///
    /// - Throws: An ``ObjectStoreError``, with path, line and column if the file is damaged or has an object of another
    ///   type.
    public func load<Object: Decodable>(
        _ type: Object.Type = Object.self, _ identifier: String
    ) throws(ObjectStoreError) -> Object? {
        guard let (file, path) = try file(of: identifier) else { return nil }
        guard case .json(let document) = file else {
            throw unusable("the store has bytes for it, not an object", identifier, path)
        }
        do throws(JSONCodingError) {
            return try document.value.value(at: "/object", conversions: .standard)
        } catch {
            let located = document.locating(error)
            throw ObjectStoreError(
                .unusable(
                    SessionProblem(
                        .value, in: path, at: located.path, located.message, location: located.location,
                        excerpt: located.excerpt)), identifier, path)
        }
    }

    /// Loads bytes; nil if there are none, or if they are past the age of ``Limit``.
    ///
    /// - Throws: An ``ObjectStoreError``, if the file is damaged or has an object.
    public func loadBytes(_ identifier: String) throws(ObjectStoreError) -> [UInt8]? {
        guard let (file, path) = try file(of: identifier) else { return nil }
        guard case .bytes(let bytes) = file else {
            throw unusable("the store has an object for it, not bytes", identifier, path)
        }
        return Array(bytes)
    }

    /// The identifiers that begin with a text, sorted. They include objects past the age of ``Limit``, until a save
    /// removes them. Opens all indexes of the store.
    ///
    /// - Throws: An ``ObjectStoreError``, if an index cannot be opened, or lacks entries that cannot be added.
    public func identifiers(under prefix: String = "") throws(ObjectStoreError) -> [String] {
        var identifiers: [String] = []
        for shard in try allShards() where try shard.exists() {
            try requireComplete(shard)
            identifiers += shard.files.map(\.identifier).filter { $0.utf8.starts(with: prefix.utf8) }
        }
        return identifiers.sorted()
    }

    /// Completes the index if the last attempt failed, and throws if it fails again.
    private func requireComplete(_ shard: Shard) throws(ObjectStoreError) {
        if shard.incompleteness.withLock({ $0 == nil }) { return }
        shard.completeIndex()
        if let error = shard.incompleteness.withLock({ $0 }) { throw error }
    }

    private func file(of identifier: String) throws(ObjectStoreError) -> (file: ObjectFile, path: String)? {
        guard let shard = try shard(of: identifier, isCreated: false) else { return nil }
        var entry = shard.entry(of: identifier)
        while true {
            if case .file(let name) = entry,
                let found = try shard.contents(of: name, identifier)
            {
                if limit.isExpired(found.identity.modified) { return nil }
                if !limit.isNone { shard.objects.record(.used, of: name.text) }
                let path = shard.path(of: name)
                return (try parsed(found.bytes, identifier, path), path)
            }
            // Another process may have changed the entry a moment ago.
            let newest = try shard.entryInFile(of: identifier)
            if newest == entry {
                switch entry {
                case .file(let name): throw ObjectStoreError(.missingFile, identifier, shard.path(of: name))
                case .invalid: throw ObjectStoreError(.invalidEntry, identifier, shard.indexPath)
                case .missing:
                    if shard.incompleteness.withLock({ $0 == nil }) { return nil }
                    try requireComplete(shard)
                case .removed: return nil
                }
            }
            entry = newest == entry ? shard.entry(of: identifier) : newest
        }
    }

    private func parsed(
        _ contents: [UInt8], _ identifier: String, _ path: String
    ) throws(ObjectStoreError) -> ObjectFile {
        let (owner, file): (ObjectFile.Owner, ObjectFile)
        do throws(SessionProblem) {
            (owner, file) = try ObjectFile.parsed(contents, in: path)
        } catch {
            throw ObjectStoreError(.unusable(error), identifier, path)
        }
        if owner.isSame(as: identifier) { return file }
        throw unusable(
            "the file has the object of another identifier, \(JSON(owner.identifier).text(upTo: 200))", identifier, path
        )
    }

    private func unusable(_ message: String, _ identifier: String, _ path: String) -> ObjectStoreError {
        ObjectStoreError(.unusable(SessionProblem(.value, in: path, message)), identifier, path)
    }
}

// Repairing.
extension ObjectStore {
    /// The minimum age of a file without an entry to be moved away. Another process may be saving a younger one.
    static let gracePeriod = Duration.seconds(60)

    /// Reads all objects, completes the index, and moves files that belong to no entry to `lost+found`.
    ///
    /// Opening the store already completes an index that was removed, emptied or replaced by an older one.
    ///
    /// - Parameter discardingOrphans: Whether to delete files that belong to no entry, and the whole directory
    ///   `lost+found`, instead of moving files there.
    /// - Returns: What was found.
    /// - Throws: An ``ObjectStoreError``.
    @discardableResult
    public func repair(discardingOrphans: Bool = false) async throws -> ObjectStoreRepair {
        try await BlockingWork.run { try self.repairBlocking(discardingOrphans: discardingOrphans) }
    }

    /// Repairs the store as ``repair(discardingOrphans:)`` does, blocking the thread.
    @discardableResult
    public func repairBlocking(discardingOrphans: Bool = false) throws(ObjectStoreError) -> ObjectStoreRepair {
        try repairBlocking(discardingOrphans: discardingOrphans, orphansOlderThan: Self.gracePeriod)
    }

    func repairBlocking(
        discardingOrphans: Bool, orphansOlderThan gracePeriod: Duration
    ) throws(ObjectStoreError) -> ObjectStoreRepair {
        var result = ObjectStoreRepair()
        for shard in try allShards() {
            let found = try shard.repair(orphansOlderThan: gracePeriod, isDiscarding: discardingOrphans)
            result.recovered += found.recovered
            result.missing += found.missing
            result.damaged += found.damaged
            result.orphans += found.orphans
        }
        if discardingOrphans {
            do throws(FileError) { try Shard.lostAndFound(of: path).remove() } catch {
                throw ObjectStoreError(.file(error), nil, path)
            }
        }
        return result
    }
}

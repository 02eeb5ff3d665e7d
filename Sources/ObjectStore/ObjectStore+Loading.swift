internal import DurableFiles
internal import Locking
internal import LosslessJSON
internal import SessionMirror

extension ObjectStore {
    /// Loads an object; nil if there is none, if it is past the age of ``Limit``, or if it was saved as null. Does not
    /// wait for saving.
    ///
    /// - Throws: An ``ObjectStoreError``, with path, line and column if the file is damaged or has an object of another
    ///   type.
    public func load<Object: Decodable>(
        _ type: Object.Type, _ identifier: String
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

    /// Loads an object of the type that the context demands, as `load(_:_:)` does.
    ///
    /// ```swift
    /// let portrait: Portrait? = try store.load("user/42/portrait")
    /// ```
    ///
    /// - Throws: An ``ObjectStoreError``, as `load(_:_:)`.
    public func load<Object: Decodable>(_ identifier: String) throws(ObjectStoreError) -> Object? {
        try load(Object.self, identifier)
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

    /// The name of the file that the index in memory has for an object, for tests.
    package func fileName(of identifier: String) throws(ObjectStoreError) -> String? {
        try shard(of: identifier, isCreated: false)?.entry(of: identifier).name?.text
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
                if !limit.isNone { shard.objects.setTimes(.access, of: name.text) }
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

internal import LosslessJSON
public import SessionMirror

/// A change of an object in the index of a store, by this process or another one. An edit of an object's file is not
/// reported.
public struct ObjectChange: Sendable, Hashable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// The object was saved, for the first time or again.
        case saved
        /// The object was removed.
        case removed
    }

    /// The identifier of the object.
    public let identifier: String
    /// What happened.
    public let kind: Kind
    /// `update` for a change through this store, `external` for one by another process or store.
    public let origin: Origin

    /// Creates a change, for tests of code that handles one.
    public init(_ identifier: String, _ kind: Kind, origin: Origin = .external) {
        (self.identifier, self.kind, self.origin) = (identifier, kind, origin)
    }
}

extension ObjectChange {
    /// Whether two changes are equal. Identifiers are compared by their bytes.
    public static func == (one: ObjectChange, other: ObjectChange) -> Bool {
        one.identifier.utf8.elementsEqual(other.identifier.utf8) && one.kind == other.kind && one.origin == other.origin
    }

    /// Hashes the change, by the bytes of its identifier.
    public func hash(into hasher: inout Hasher) {
        for byte in identifier.utf8 { hasher.combine(byte) }
        hasher.combine(kind)
        hasher.combine(origin)
    }
}

extension ObjectStore {
    /// Returns an asynchronous sequence of the changes of an object, from now on. A slow loop skips all changes but the
    /// latest. The sequence is for one loop, and keeps the store open.
    ///
    /// - Throws: An ``ObjectStoreError``, if the store cannot be opened.
    public func changes(of identifier: String) throws(ObjectStoreError) -> AsyncStream<ObjectChange> {
        let (stream, continuation) = AsyncStream.makeStream(of: ObjectChange.self, bufferingPolicy: .bufferingNewest(1))
        let shard = try openedShard(of: identifier)
        let token = shard.observeEntries { change in
            if change.identifier.utf8.elementsEqual(identifier.utf8) { continuation.yield(change) }
        }
        // The sequence keeps the store open.
        continuation.onTermination = { [self] _ in withExtendedLifetime(self) { token.cancel() } }
        return stream
    }

    /// Returns an asynchronous sequence of the changes of all objects whose identifiers begin with a text, from now on.
    /// Changes are buffered without a limit until the loop takes them. Watches the whole store, which is created if it
    /// does not exist. The sequence is for one loop, and keeps the store open.
    ///
    /// - Throws: An ``ObjectStoreError``, if the store cannot be opened.
    public func changes(under prefix: String = "") throws(ObjectStoreError) -> AsyncStream<ObjectChange> {
        let (stream, continuation) = AsyncStream.makeStream(of: ObjectChange.self)
        var tokens: [Subscription] = []
        for shard in try allShards(areCreated: true) {
            tokens.append(
                shard.observeEntries { change in
                    if change.identifier.utf8.starts(with: prefix.utf8) { continuation.yield(change) }
                })
        }
        continuation.onTermination = { [self, tokens] _ in
            withExtendedLifetime(self) { for token in tokens { token.cancel() } }
        }
        return stream
    }
}

extension Shard {
    /// Calls `body` with each change of an entry, until the result is released.
    fileprivate func observeEntries(_ body: @escaping @Sendable (ObjectChange) -> Void) -> Subscription {
        session.observe("") { [self] change in
            let (old, new) = (change.old?.object ?? [:], change.new?.object ?? [:])
            for difference in JSON.object(new).difference(from: .object(old)) {
                guard let identifier = difference.path.tokens.first, difference.path.tokens.count == 1,
                    belongs(identifier)
                else { continue }
                let isSaved = Entry(difference.new).name != nil
                if isSaved || Entry(difference.old).name != nil {
                    body(ObjectChange(identifier, isSaved ? .saved : .removed, origin: change.origin))
                }
            }
        }
    }
}

internal import Locking
internal import LosslessJSON

/// The cell of one of several sessions of a file, whose types differ.
///
/// An update by a session of another type only marks the snapshot here as outdated. The next reader or delivery decodes
/// the value, so that an update costs nothing for sessions that are not read. A new content of the file is decoded
/// before it is published.
///
/// A value that this session's type or check rejects is a problem of this session only. It keeps its last value, or the
/// default, and everything else of the file is used.
final class SharedCell<Root: Codable & Sendable>: SessionCell<Root>, @unchecked Sendable {
    private struct State {
        /// What was published last, by a session of any type.
        var published: AnySnapshotStorage
        /// The last snapshot of this session's type.
        var own: SnapshotStorage<Root>
        var problem: SessionProblem?
    }

    private let decoder: ValidatingDecoder<Root>
    private let synchronizer: FileSynchronizer
    /// Taken after the lock of the synchronizer's state.
    private let state: Lock<State>

    init(_ defaults: SnapshotStorage<Root>, _ decoder: ValidatingDecoder<Root>, of synchronizer: FileSynchronizer) {
        (self.decoder, self.synchronizer) = (decoder, synchronizer)
        state = Lock(State(published: defaults, own: defaults))
        super.init(defaults)
    }

    override var published: AnySnapshotStorage { state.withLock { $0.published } }

    override var problem: SessionProblem? { state.withLock { $0.problem } }

    override func own(_ snapshot: AnySnapshotStorage) -> AnySnapshotStorage { outcome(of: snapshot).snapshot }

    override func replace(withAny next: AnySnapshotStorage, _ replaced: inout ReplacedObjects) {
        state.withLock { state in
            replaced.append(ReplacedObject(state.published))
            state.published = next
            // What a session of another type has published is decoded later.
            if let outcome = knownOutcome(of: next) { adopt(outcome, &state, &replaced) } else { markOutdated() }
        }
    }

    override func renewed() -> SnapshotStorage<Root>? {
        // After a fork, a lock that another thread of the parent held stays locked forever.
        if ForkHandling.isForkedChild { return nil }
        let published = published
        return renew(with: outcome(of: published), of: published)
    }

    /// Decodes the file now, so that reading does not.
    func decode() {
        let decoded = synchronizer.decodeForAll()
        let published = published
        if let decoded, decoded.version == published.version, let outcome = decoded.outcome(of: self) {
            renew(with: outcome, of: published)
        } else {
            _ = current
        }
    }

    /// Publishes the outcome of decoding a snapshot here, unless a newer one was published meanwhile.
    @discardableResult
    private func renew(
        with outcome: SharedSnapshot.Outcome, of published: AnySnapshotStorage
    ) -> SnapshotStorage<Root> {
        synchronizer.renew(self) { replaced in
            state.withLock { state in
                if state.published === published, isOutdated { adopt(outcome, &state, &replaced) }
                return downcast(outcome.snapshot)
            }
        }
    }

    override func updateBase(of snapshot: AnySnapshotStorage) -> SnapshotStorage<Root> {
        downcast(outcome(of: snapshot).snapshot)
    }

    /// Finds out whether an update leaves something in the file that this session cannot use.
    override func updated(to next: SnapshotStorage<Root>) throws -> AnySnapshotStorage {
        if problem == nil { return next }
        let decoded = decodedForAll(try next.tree(), next.version)
        guard let problem = decoded.outcome(of: self)?.problem else { return next }
        return decoded.replacingOutcome(of: self, by: SharedSnapshot.Outcome(snapshot: next, problem: problem))
    }

    private func decodedForAll(_ tree: JSON, _ version: Version) -> SharedSnapshot {
        let decoder = synchronizer.loader.reconciler.decoder as! SharedDecoder  // that of a shared file
        return decoder.decoded(.tree(tree), version, .update).snapshot
    }

    /// Accepts an edit that leaves the file with no other unusable values than before.
    override func edited(
        _ snapshot: SnapshotStorage<Root>, to tree: JSON, _ version: Version, because error: any Error
    ) throws -> AnySnapshotStorage {
        let old = try snapshot.tree()
        let before = value(of: .tree(old)).problems
        let (root, problems, _) = value(of: .tree(tree))
        for problem in problems {
            // A value that was unusable before may stay, but the edit must not replace it by another unusable one.
            guard let path = problem.path.map(tree.replaceablePath),
                before.contains(where: { $0.path == problem.path }),
                tree[at: path] == old[at: path]
            else { throw before.isEmpty ? error : problem }
        }
        let next = SnapshotStorage(root, version: version, origin: .update, source: .tree(tree))
        return decodedForAll(tree, version)
            .replacingOutcome(of: self, by: SharedSnapshot.Outcome(snapshot: next, problem: problems.first))
    }

    /// Publishes the decoded snapshot in this cell, and records its problem.
    private func adopt(
        _ outcome: SharedSnapshot.Outcome, _ state: inout State, _ replaced: inout ReplacedObjects
    ) {
        replaced.append(ReplacedObject(state.own))
        state.own = downcast(outcome.snapshot)
        // The earlier one may have the location, which is not known before the change is saved.
        let isSame = outcome.problem.map { $0.location == nil && state.problem?.readsLike($0) == true } ?? false
        if !isSame { state.problem = outcome.problem }
        replaced.append(replace(with: state.own))
    }

    private func downcast(_ own: AnySnapshotStorage) -> SnapshotStorage<Root> {
        unsafeDowncast(own, to: SnapshotStorage<Root>.self)
    }
}

// Decoding. Runs user code, so never under a lock.
extension SharedCell {
    /// The outcome, if it is known without decoding.
    private func knownOutcome(of snapshot: AnySnapshotStorage) -> SharedSnapshot.Outcome? {
        if let own = snapshot as? SnapshotStorage<Root> { return SharedSnapshot.Outcome(snapshot: own, problem: nil) }
        return (snapshot as? SharedSnapshot)?.outcome(of: self)
    }

    private func outcome(of snapshot: AnySnapshotStorage) -> SharedSnapshot.Outcome {
        if let outcome = knownOutcome(of: snapshot) { return outcome }
        let (root, problem): (Root, SessionProblem?)
        do throws(JSONCodingError) {
            let tree = try snapshot.tree()
            let decoded = value(of: snapshot.document.map { .text($0) } ?? .tree(tree))
            (root, problem) = (decoded.root, decoded.problems.first)
        } catch {
            root = lastOwn.root
            problem = SessionProblem(unencodable: error, in: synchronizer.path, hiding: decoder.secrets)
        }
        let own = SnapshotStorage(
            root, version: snapshot.version, origin: snapshot.origin, source: .decoded(snapshot))
        return SharedSnapshot.Outcome(snapshot: own, problem: problem)
    }

    private var lastOwn: SnapshotStorage<Root> { state.withLock { $0.own } }

    /// Decodes a content of the file as far as possible; with the problems that were found in that, or with the keys
    /// that the type does not have.
    private func value(
        of content: FileContent
    ) -> (root: Root, problems: [SessionProblem], unknownKeys: [JSONUnknownKey]) {
        do throws(SessionProblem) {
            var unknownKeys: [JSONUnknownKey] = []
            let root = try decoder.value(of: content, in: synchronizer.path, &unknownKeys)
            return (root, [], unknownKeys)
        } catch {
            let last = lastOwn
            let kept = (try? decoder.treeWithDefaults(of: last)) ?? .object([:])
            let (root, others) = decoder.value(of: content.tree, in: synchronizer.path, keeping: kept, because: error)
            return (root ?? last.root, [error] + others, [])
        }
    }
}

extension ValidatingDecoder {
    /// The most values of a file that are replaced because they cannot be used.
    private static var replacementLimit: Int { 64 }

    /// Decodes a tree in which the values that cannot be used have those of `kept`; nil if that is not possible.
    /// Returns the problems of those that were found after the first one.
    fileprivate func value(
        of tree: JSON, in file: String, keeping kept: JSON, because problem: SessionProblem
    ) -> (root: Root?, others: [SessionProblem]) {
        var tree = tree
        var path = problem.path
        var replaced: Set<JSONPointer> = []
        var others: [SessionProblem] = []
        for _ in 0..<Self.replacementLimit {
            guard var next = path.map(tree.replaceablePath), !next.isRoot else { break }
            // The replacement was rejected, too: replace the containing value.
            while replaced.contains(next) { next = next.parent }
            if next.isRoot { break }
            replaced.insert(next)
            tree = tree.replacingValue(at: next, byThatOf: kept)
            do throws(SessionProblem) { return (try value(of: tree, in: file), others) } catch {
                others.append(error)
                path = error.path
            }
        }
        return (nil, others)
    }
}

extension JSON {
    /// The path of a value, or of the list that has it: a list is used as a whole.
    fileprivate func replaceablePath(_ path: JSONPointer) -> JSONPointer {
        let tokens = path.tokens
        let list = tokens.indices.first { self[at: JSONPointer(Array(tokens[..<$0]))]?.array != nil }
        return list.map { JSONPointer(Array(tokens[..<$0])) } ?? path
    }

    /// The tree with a value of another one, without the value if that one has none.
    fileprivate func replacingValue(at path: JSONPointer, byThatOf other: JSON) -> JSON {
        if let value = other[at: path] { return (try? setting(path, to: value)) ?? self }
        return (try? removing(path)) ?? self
    }
}

extension JSONPointer {
    fileprivate var parent: JSONPointer { JSONPointer(Array(tokens.dropLast())) }
}

/// What decodes the content of a file for one of the sessions that share it.
protocol SharedDecoding: AnySnapshotCell {
    /// Decodes a content of the file, and returns the keys that the type does not have; nil if no key counts as
    /// unknown, because the type has every key, or cannot be decoded.
    func outcome(
        of content: FileContent, _ version: Version, _ origin: Origin
    ) -> (outcome: SharedSnapshot.Outcome, unknownKeys: [JSONUnknownKey]?)

    /// Encodes the value of a snapshot with everything that its tree leaves out; nil if that is not possible.
    func treeWithDefaults(of snapshot: AnySnapshotStorage) -> JSON?

    /// Forgets the collections of the values that were decoded.
    func forget()
}

extension SharedCell: SharedDecoding {
    func outcome(
        of content: FileContent, _ version: Version, _ origin: Origin
    ) -> (outcome: SharedSnapshot.Outcome, unknownKeys: [JSONUnknownKey]?) {
        let (root, problems, unknownKeys) = value(of: content)
        let snapshot = SnapshotStorage(root, version: version, origin: origin, source: content.source)
        let hasEveryKey = Root.self == JSON.self || !problems.isEmpty
        return (
            SharedSnapshot.Outcome(snapshot: snapshot, problem: problems.first),
            hasEveryKey ? Optional.none : unknownKeys
        )
    }

    func forget() { decoder.forget() }

    func treeWithDefaults(of snapshot: AnySnapshotStorage) -> JSON? {
        try? decoder.treeWithDefaults(of: updateBase(of: snapshot))
    }
}

extension FileContent {
    fileprivate var source: SnapshotSource {
        switch self {
        case .text(let document): .text(document)
        case .tree(let tree): .tree(tree)
        }
    }
}

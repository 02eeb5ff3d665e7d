internal import Locking
internal import LosslessJSON

/// The cell of one of several sessions of a file, whose types differ.
///
/// An update by a session of another type only marks the snapshot here as outdated. The next reader or delivery decodes the
/// value, so that an update costs nothing for sessions that are not read. A new content of the file is decoded before it is
/// published.
///
/// A file that this session's type or check does not accept is a problem of this session only, which then keeps its last
/// usable value. Updates of that value are merged with the file.
final class SharedCell<Root: Codable & Sendable>: SessionCell<Root>, @unchecked Sendable {
    private struct State {
        /// What was published last, by a session of any type.
        var published: AnySnapshotStorage
        /// The last usable value.
        var usable: SnapshotStorage<Root>
        var problem: SessionProblem?
    }

    private let decoder: ValidatingDecoder<Root>
    private let synchronizer: FileSynchronizer
    /// Taken after the lock of the synchronizer's state.
    private let state: Lock<State>

    init(_ defaults: SnapshotStorage<Root>, _ decoder: ValidatingDecoder<Root>, of synchronizer: FileSynchronizer) {
        (self.decoder, self.synchronizer) = (decoder, synchronizer)
        state = Lock(State(published: defaults, usable: defaults))
        super.init(defaults)
    }

    override var published: AnySnapshotStorage { state.withLock { $0.published } }

    override var problem: SessionProblem? { state.withLock { $0.problem } }

    override func own(_ snapshot: AnySnapshotStorage) -> AnySnapshotStorage? {
        if case .usable(let own) = outcome(of: snapshot) { own } else { nil }
    }

    override func replace(withAny next: AnySnapshotStorage, _ replaced: inout [ReplacedObject]) {
        state.withLock { state in
            replaced.append(ReplacedObject(state.published))
            state.published = next
            // What a session of another type has published is decoded later.
            if let outcome = knownOutcome(of: next) { adopt(outcome, &state, &replaced) } else { markOutdated() }
        }
    }

    override func renewed() -> SnapshotStorage<Root>? {
        // Another thread of the parent may have held a lock.
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
                guard state.published === published, isOutdated else {
                    return snapshot(of: outcome, published, state.usable)
                }
                return adopt(outcome, &state, &replaced)
            }
        }
    }

    override func updateBase(of snapshot: AnySnapshotStorage) -> SnapshotStorage<Root> {
        let outcome = outcome(of: snapshot)
        return self.snapshot(of: outcome, snapshot, state.withLock { $0.usable })
    }

    /// Merges an update of a value that the file does not have with the file, as a load merges memory and file.
    override func updated(
        to next: SnapshotStorage<Root>, from base: SnapshotStorage<Root>
    ) throws -> AnySnapshotStorage {
        guard case .lastUsable(let usable, let published) = base.source else { return next }
        let reconciler = synchronizer.loader.reconciler
        let merge = JSON.merge(
            base: try usable.tree(), ours: try next.tree(), theirs: try published.tree(), arrays: reconciler.arrays,
            resolving: reconciler.resolve)
        synchronizer.reportLater(reconciler.problems(of: merge))
        guard let decoder = reconciler.decoder as? SharedDecoder else { return next }
        let merged = decoder.decoded(.tree(merge.value), next.version, next.origin).snapshot
        guard case .unusable(let problem, _)? = merged.outcome(of: self) else { return merged }
        return merged.replacingOutcome(of: self, by: .unusable(problem, fallback: next))
    }

    /// Publishes here what decoding the published version has led to, and remembers what it says.
    @discardableResult
    private func adopt(
        _ outcome: SharedSnapshot.Outcome, _ state: inout State, _ replaced: inout [ReplacedObject]
    ) -> SnapshotStorage<Root> {
        replaced.append(ReplacedObject(state.usable))
        switch outcome {
        case .usable(let own): (state.usable, state.problem) = (downcast(own), nil)
        case .unusable(let problem, let fallback):
            state.problem = problem
            if let fallback { state.usable = downcast(fallback) }
        }
        let next = snapshot(of: outcome, state.published, state.usable)
        replaced.append(replace(with: next))
        return next
    }

    private func snapshot(
        of outcome: SharedSnapshot.Outcome, _ published: AnySnapshotStorage, _ usable: SnapshotStorage<Root>
    ) -> SnapshotStorage<Root> {
        switch outcome {
        case .usable(let own): return downcast(own)
        case .unusable(_, let fallback):
            let usable = fallback.map(downcast) ?? usable
            return SnapshotStorage(
                usable.root, version: published.version, origin: published.origin,
                source: .lastUsable(usable, insteadOf: published))
        }
    }

    private func downcast(_ own: AnySnapshotStorage) -> SnapshotStorage<Root> {
        unsafeDowncast(own, to: SnapshotStorage<Root>.self)
    }
}

// Decoding. Runs user code, so never under a lock.
extension SharedCell {
    /// The outcome, if it is known without decoding.
    private func knownOutcome(of snapshot: AnySnapshotStorage) -> SharedSnapshot.Outcome? {
        if let own = snapshot as? SnapshotStorage<Root> { return .usable(own) }
        return (snapshot as? SharedSnapshot)?.outcome(of: self)
    }

    private func outcome(of snapshot: AnySnapshotStorage) -> SharedSnapshot.Outcome {
        if let outcome = knownOutcome(of: snapshot) { return outcome }
        let content: FileContent
        do throws(JSONCodingError) {
            let tree = try snapshot.tree()
            content = snapshot.document.map { .text($0) } ?? .tree(tree)
        } catch {
            return .unusable(SessionProblem(unencodable: error, in: synchronizer.path, hiding: decoder.secrets))
        }
        do throws(SessionProblem) {
            let root = try decoder.value(of: content, in: synchronizer.path).root
            return .usable(
                SnapshotStorage(root, version: snapshot.version, origin: snapshot.origin, source: .decoded(snapshot)))
        } catch {
            return .unusable(error)
        }
    }
}

/// What decodes the content of a file for one of the sessions that share it.
protocol SharedDecoding: AnySnapshotCell {
    /// Decodes a content of the file, and returns the keys that the type does not have; nil if no key counts as unknown,
    /// because the type has every key, or cannot be decoded.
    func outcome(
        of content: FileContent, _ version: Version, _ origin: Origin
    ) -> (outcome: SharedSnapshot.Outcome, unknownKeys: [JSONUnknownKey]?)

    /// Encodes the value of a snapshot with everything that its tree leaves out; nil if that is not possible.
    func treeWithDefaults(of snapshot: AnySnapshotStorage) -> JSON?
}

extension SharedCell: SharedDecoding {
    func outcome(
        of content: FileContent, _ version: Version, _ origin: Origin
    ) -> (outcome: SharedSnapshot.Outcome, unknownKeys: [JSONUnknownKey]?) {
        do throws(SessionProblem) {
            let (root, unknownKeys) = try decoder.value(of: content, in: synchronizer.path)
            let snapshot = SnapshotStorage(root, version: version, origin: origin, source: content.source())
            return (.usable(snapshot), Root.self == JSON.self ? Optional.none : unknownKeys)
        } catch {
            return (.unusable(error), nil)
        }
    }

    func treeWithDefaults(of snapshot: AnySnapshotStorage) -> JSON? {
        try? decoder.treeWithDefaults(of: updateBase(of: snapshot))
    }
}

extension FileContent {
    fileprivate func source<Root>() -> SnapshotStorage<Root>.Source {
        switch self {
        case .text(let document): .text(document)
        case .tree(let tree): .tree(tree)
        }
    }
}

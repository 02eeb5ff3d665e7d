internal import LosslessJSON

/// The cell of a session's snapshots, independent of the type of its value.
protocol AnySnapshotCell: AnyObject, Sendable {
    /// The current snapshot of this session's type. May run user code.
    var latest: AnySnapshotStorage { get }

    /// The snapshot that was published last, which may be of another type.
    var published: AnySnapshotStorage { get }

    /// Whether `latest` still has to be decoded.
    var isOutdated: Bool { get }

    /// Returns the snapshot of this session's type with the content of `snapshot`. May run user code.
    func own(_ snapshot: AnySnapshotStorage) -> AnySnapshotStorage

    /// Publishes a snapshot, and adds what the caller has to retire.
    func replace(withAny next: AnySnapshotStorage, _ replaced: inout ReplacedObjects)

    /// Why this session cannot use the published snapshot, although the file is valid.
    var problem: SessionProblem? { get }
}

/// The cell of a session's snapshots. Its file publishes snapshots of this session's type only.
@usableFromInline
class SessionCell<Root: Codable & Sendable>: SnapshotCell<SnapshotStorage<Root>>, AnySnapshotCell, @unchecked Sendable {
    final var latest: AnySnapshotStorage { current }

    var published: AnySnapshotStorage { current }

    func own(_ snapshot: AnySnapshotStorage) -> AnySnapshotStorage { snapshot }

    func replace(withAny next: AnySnapshotStorage, _ replaced: inout ReplacedObjects) {
        replaced.append(exchange(next))
    }

    var problem: SessionProblem? { nil }

    /// Returns what an update of a published snapshot changes. May run user code.
    func updateBase(of snapshot: AnySnapshotStorage) -> SnapshotStorage<Root> {
        unsafeDowncast(snapshot, to: SnapshotStorage<Root>.self)
    }

    /// Returns what to publish for an edited tree that `Root` or the check rejects with `error`. May run user code.
    func edited(
        _ snapshot: SnapshotStorage<Root>, to tree: JSON, _ version: Version, because error: any Error
    ) throws -> AnySnapshotStorage { throw error }

    /// Returns what to publish for a snapshot that the program made. May run user code.
    func updated(to next: SnapshotStorage<Root>) throws -> AnySnapshotStorage {
        next
    }
}

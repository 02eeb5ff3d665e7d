internal import LosslessJSON

/// A version of a file that several sessions share: its tree, decoded for each of them.
///
/// A session that is missing here, because it was opened meanwhile, decodes the tree itself.
final class SharedSnapshot: AnySnapshotStorage, @unchecked Sendable {
    /// What one session gets.
    struct Outcome: Sendable {
        /// A snapshot of the session's own type.
        let snapshot: AnySnapshotStorage
        /// Why a part of the file cannot be used, which then has an earlier value in the snapshot.
        let problem: SessionProblem?
    }

    private let content: FileContent
    private let outcomes: [ObjectIdentifier: Outcome]

    init(_ content: FileContent, version: Version, origin: Origin, outcomes: [ObjectIdentifier: Outcome]) {
        (self.content, self.outcomes) = (content, outcomes)
        super.init(version: version, origin: origin)
    }

    override package var document: JSONDocument? { content.document ?? super.document }

    override package func tree() -> JSON { content.tree }

    func outcome(of cell: some AnyObject) -> Outcome? { outcomes[ObjectIdentifier(cell)] }

    /// The same version with another outcome of one session.
    func replacingOutcome(of cell: some AnyObject, by outcome: Outcome) -> SharedSnapshot {
        var outcomes = outcomes
        outcomes[ObjectIdentifier(cell)] = outcome
        return SharedSnapshot(content, version: version, origin: origin, outcomes: outcomes)
    }
}

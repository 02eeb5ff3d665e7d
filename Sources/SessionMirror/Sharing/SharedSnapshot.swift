internal import LosslessJSON

/// A version of a file that several sessions share: its tree, decoded for each of them.
///
/// A session that is missing here, because it was opened meanwhile, decodes the tree itself.
final class SharedSnapshot: AnySnapshotStorage, @unchecked Sendable {
    /// What one session gets.
    enum Part: Sendable {
        case usable(AnySnapshotStorage)
        /// The session keeps a value: that of `fallback`, or the last usable one.
        case unusable(SessionProblem, fallback: AnySnapshotStorage? = nil)
    }

    private let content: FileContent
    private let parts: [ObjectIdentifier: Part]

    init(_ content: FileContent, version: Version, origin: Origin, parts: [ObjectIdentifier: Part]) {
        (self.content, self.parts) = (content, parts)
        super.init(version: version, origin: origin)
    }

    override package var document: JSONDocument? {
        if case .text(let document) = content { document } else { super.document }
    }

    override package func tree() -> JSON { content.tree }

    func part(of cell: some AnyObject) -> Part? { parts[ObjectIdentifier(cell)] }

    /// The same version with another part for one session.
    func replacingPart(of cell: some AnyObject, by part: Part) -> SharedSnapshot {
        var parts = parts
        parts[ObjectIdentifier(cell)] = part
        return SharedSnapshot(content, version: version, origin: origin, parts: parts)
    }
}

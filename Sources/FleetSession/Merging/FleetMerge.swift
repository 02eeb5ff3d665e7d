internal import LosslessJSON
internal import SessionMirror

/// Merges the text of the store with what a machine has.
struct FleetMerge: Sendable {
    /// What both had in common; nil if nothing.
    let base: JSON?
    /// The text of the store.
    let theirs: JSONDocument
    let settings: FileSettings
    let localPaths: LocalPaths

    /// A value that both sides changed, and what was used.
    struct Conflict: Sendable {
        let values: JSONConflict
        let kept: JSON?
    }

    /// The result of a merge.
    struct Result: Sendable {
        let tree: JSON
        let conflicts: [Conflict]
    }

    /// Merges the tree of the machine with that of the store: a change made on only one side is kept.
    func merged(with ours: JSON) -> Result {
        let base = localPaths.replacing(in: base ?? .object([:]), by: ours)
        let merge = JSON.merge(
            base: base, ours: ours, theirs: theirs(for: ours), arrays: settings.arrays, resolving: settings.resolve)
        return Result(
            tree: merge.value, conflicts: zip(merge.conflicts, merge.resolutions).map { Conflict(values: $0, kept: $1) }
        )
    }

    /// The tree of the store, with the local values of the machine.
    func theirs(for ours: JSON) -> JSON { localPaths.replacing(in: theirs.value, by: ours) }
}

extension CommonText {
    /// Returns the text for the store that has the changes of a machine: the common text, edited. nil if there are none.
    ///
    /// - Parameters:
    ///   - document: The text of the file.
    ///   - stale: Changes that are not sent.
    func outgoing(
        for document: JSONDocument, _ localPaths: LocalPaths, except stale: [ValueChange] = []
    ) throws(JSONEditError) -> JSONDocument? {
        guard let base = self.document else { return localPaths.removed(from: document) }
        return try base.withChanges(of: document.value.reverting(stale), localPaths)
    }
}

extension JSONDocument {
    /// Returns the text of the store with the values of a machine; nil if it has them.
    func withChanges(of tree: JSON, _ localPaths: LocalPaths) throws(JSONEditError) -> JSONDocument? {
        let changes = localPaths.replacing(in: tree, by: value).difference(from: value)
        return changes.isEmpty ? nil : try applying(changes)
    }
}

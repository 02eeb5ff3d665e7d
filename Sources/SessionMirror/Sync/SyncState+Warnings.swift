internal import LosslessJSON

// Warnings about the content of the file.
extension SyncState {
    /// Replaces the warnings by those of a valid text, and reports each new one.
    ///
    /// - Parameters:
    ///   - memory: The tree in memory, which may be ahead of the text; nil if it is not known yet.
    ///   - unknownKeys: nil if they are those of before that the text still has.
    mutating func warn(of document: JSONDocument, memory: JSON?, _ unknownKeys: [SessionProblem]?) -> [Effect] {
        let unknownKeys = areKeysJudged ? unknownKeys : []
        if status.warnings.isEmpty, document.warnings.isEmpty, unknownKeys?.isEmpty ?? true { return [] }
        let duplicates = document.warnings.map { SessionProblem(duplicateKey: secrets.redacting($0), in: file) }
        let mismatches = status.warnings.filter {
            $0.isMismatch(in: document.value) || memory.map($0.isMismatch(in:)) ?? $0.isMismatch
        }
        // Those that a save has found may be gone from what it has written.
        let unknown = (unknownKeys ?? status.warnings).filter { $0.isUnknownKey(in: document.value) }
        return replaceWarnings(by: unknown + duplicates + mismatches)
    }

    /// The program has read a value of the current version as a type that it does not have.
    mutating func mismatchFound(_ problem: SessionProblem) -> [Effect] {
        isClosed ? [] : replaceWarnings(by: status.warnings.filter { !$0.isSame(as: problem) } + [problem])
    }

    /// Another session shares the file, and so other keys are unknown.
    mutating func unknownKeysFound(
        _ unknownKeys: [SessionProblem], of document: JSONDocument, in snapshot: AnySnapshotStorage
    ) -> [Effect] {
        if isClosed || snapshot !== self.snapshot { return [] }
        return warn(of: document, memory: nil, unknownKeys)
    }

    /// The program uses values by their keys, so that no key of the file is unknown.
    mutating func allowUnknownKeys() -> [Effect] {
        areKeysJudged = false
        return isClosed ? [] : replaceWarnings(by: status.warnings.filter { !$0.isUnknownKey })
    }

    mutating func replaceWarnings(by warnings: [SessionProblem]) -> [Effect] {
        let before = status.warnings
        status.warnings = warnings
        // Compared by path: a warning whose line has moved is the same.
        let (old, new) = (Set(before.map(WarningIdentity.init)), Set(warnings.map(WarningIdentity.init)))
        if old == new { return [] }
        let ended = before.filter { !new.contains(WarningIdentity($0)) }.map { MirrorReport.recovered($0) }
        let added = warnings.filter { !old.contains(WarningIdentity($0)) }.map { MirrorReport.problem($0) }
        return (ended + added + [.status(status)]).map { .report($0) }
    }
}

private struct WarningIdentity: Hashable {
    let code: String
    let path: JSONPointer?

    init(_ warning: SessionProblem) { (code, path) = (warning.code.name, warning.path) }
}

extension SessionProblem {
    fileprivate var isUnknownKey: Bool { if case .unknownKey = code { true } else { false } }

    fileprivate func isUnknownKey(in tree: JSON) -> Bool { isUnknownKey && path.map { tree[at: $0] != nil } ?? false }

    fileprivate func isSame(as warning: SessionProblem) -> Bool { WarningIdentity(self) == WarningIdentity(warning) }

    fileprivate var isMismatch: Bool { if case .mismatch = code { true } else { false } }

    /// Whether this is a mismatch, and the tree still has the value.
    func isMismatch(in tree: JSON) -> Bool {
        if case .mismatch(let found) = code, let path { tree[at: path] == found } else { false }
    }

    fileprivate init(duplicateKey warning: JSONWarning, in file: String) {
        self.init(.duplicateKey(ignored: warning.earlier), in: file, at: warning.path, warning)
    }
}

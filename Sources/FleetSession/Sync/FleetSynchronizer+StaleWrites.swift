internal import Locking
internal import LosslessJSON
internal import SessionMirror

/// Old values that a program has written back after values of another machine had replaced them: it had read the file
/// before, and knew nothing of them.
extension FleetSynchronizer {
    /// The changes of this machine that are probably stale writes.
    ///
    /// - Parameter tree: What the machine has; nil for the file.
    func staleChanges(in tree: JSON?, _ common: CommonText) -> [ValueChange] {
        guard !common.replacedValues.isEmpty, let file = member.mirror.document?.value else { return [] }
        // Values that are local to the machine are meant, whatever the store has.
        let shared = localPaths.replacing(in: tree ?? file, by: common.document?.value ?? .object([:]))
        return common.staleChanges(
            in: shared, file: file, since: directory.windowStart(ofFile: settings.absolutePath), member.intendedValues()
        )
    }

    /// Stale writes that no session has restored by the end of the window: the one that has merged the newer values has
    /// ended, for example.
    func overdueStaleChanges(_ common: CommonText) -> [ValueChange] {
        let start = directory.windowStart
        return staleChanges(in: nil, common).filter {
            !common.replacedValues.contains($0.new, at: $0.path, since: start)
        }
    }

    func restore(_ changes: [ValueChange]) async throws {
        let restored = Lock<[ValueChange]>([])
        try await member.commit(replacingText: nil) { ours in
            let found = changes.filter { ours[at: $0.path] == $0.new }
            restored.withLock { $0 = found }
            return ours.reverting(found)
        }
        reportRestored(restored.withLock { $0 })
    }

    func reportRestored(_ changes: [ValueChange]) {
        for change in changes {
            let values = JSONConflict(path: change.path, base: nil, ours: change.old, theirs: change.new)
            member.report(SessionProblem(.restored(values), in: settings.name, hiding: settings.secrets))
        }
    }
}

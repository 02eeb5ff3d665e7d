internal import Locking
internal import LosslessJSON

extension FileSynchronizer {
    /// Adds a session, which gets the current version; false if the file was closed meanwhile.
    func join(_ dispatcher: ChangeDispatcher) -> Bool {
        let replaced = state.withLock { state -> ReplacedObjects? in
            if !dispatchers.add(dispatcher) { return nil }
            var replaced = ReplacedObjects()
            dispatcher.snapshotCell.replace(withAny: state.snapshot, &replaced)
            return replaced
        }
        guard let replaced else { return false }
        replaced.retire()
        return true
    }

    /// Decodes the current text for all sessions, because one was added, which may have more keys; nil if there is no
    /// text.
    func decodeForAll() -> SharedSnapshot? {
        guard let decoder = loader.reconciler.decoder as? SharedDecoder else { return nil }
        let snapshot = state.withLock { $0.snapshot }
        guard let document = snapshot.document else { return nil }
        let (decoded, unknownKeys) = decoder.decoded(.text(document), snapshot.version, snapshot.origin)
        let problems = decoder.problems(of: unknownKeys, in: document, path)
        process { $0.unknownKeysFound(problems, of: document, in: snapshot) }
        return decoded
    }

    /// Lets a cell adopt the snapshot that it has decoded, and reports what that changes about its problem. Its
    /// dispatcher delivers the report soon, because the calling thread is reading.
    func renew<Snapshot>(
        _ cell: any AnySnapshotCell, _ adopt: (inout ReplacedObjects) -> Snapshot
    ) -> Snapshot {
        var replaced = ReplacedObjects()
        let (snapshot, changed) = state.withLock { state -> (Snapshot, ChangeDispatcher?) in
            let before = cell.problem
            let snapshot = adopt(&replaced)
            let dispatcher = dispatchers.all.first { $0.snapshotCell === cell }
            let isChanged = dispatcher?.addProblemChange(since: before, state.status) ?? false
            return (snapshot, isChanged ? dispatcher : nil)
        }
        replaced.retire(isWriter: false)
        if let changed { pool.run { [pool] in changed.post(on: pool) } }
        return snapshot
    }

    /// No key of the file is unknown. Its caller may hold `updateLock`, so not on this thread.
    func allowUnknownKeysLater() { pool.run { self.process { $0.allowUnknownKeys() } } }

}

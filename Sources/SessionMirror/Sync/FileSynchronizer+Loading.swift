internal import Locking

extension FileSynchronizer {
    /// Loads the file. The result is discarded if an update changes the value meanwhile, which cannot happen
    /// exclusively. Does nothing once the session is closed, because its value does not change after that.
    func performLoad(exclusively isExclusive: Bool) {
        if isExclusive {
            if let effects = updateLock.withLock({ load().map(apply) }) { perform(effects) }
            return
        }
        guard let result = load() else { return }
        perform(result.changesMemory ? updateLock.withLock { apply(result) } : apply(result))
    }

    private func apply(_ result: LoadResult) -> PendingEffects { apply { $0.loadFinished(result, at: .now) } }

    private func load() -> LoadResult? {
        guard let syncBase = state.withLock({ $0.isClosed ? nil : $0.syncBase }) else { return nil }
        let began = Instant.now
        let result = loader.load(reconcilingWith: syncBase)
        let time = Instant.now - began
        if result.changesMemory { measurements.withLock { $0.slowestReload = max($0.slowestReload, time) } }
        // The file has another text. The lock is free again when the one before is released.
        if case .loaded = result { _ = writtenText.withLock { $0.take() } }
        return result
    }
}

extension LoadResult {
    fileprivate var changesMemory: Bool {
        if case .loaded(let reconciliation) = self {
            reconciliation.snapshot !== reconciliation.inputSnapshot
        } else {
            false
        }
    }
}

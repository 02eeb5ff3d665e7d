internal import Locking

extension WatchLoop {
    /// Collects changes, calls handlers and rearms paths.
    func handleEvents() {
        var batch = EventBatch()
        backend.collect(into: &batch)
        polling.collect(into: &batch)
        collectMountChanges(into: &batch)
        if batch.overflows > 0 { return handle(overflows: batch.overflows) }
        for change in batch.changes where change.isDirect {
            guard let registration = registrations[change.path] else { continue }
            usedPaths.insert(change.path)
            registration.reportChange()
        }
        if batch.needsRestart { return restart() }
        for change in batch.changes {
            if change.isDirect { deferredRearms.add(change, .now) } else { rearm(for: change) }
        }
    }

    private func collectMountChanges(into batch: inout EventBatch) {
        if batch.hasMovedDirectory || backend.isMountTableStale { mounts.scheduleRead(.now) }
        backend.isMountTableStale = false
        if mounts.deadline == nil { return }
        guard let paths = mounts.readIfDue(.now) else { return }
        backend.mountsChanged(at: paths, mounts.table, in: &batch)
        guard haveMountsChanged else { return }
        // A mount that came and went between two reads has left no trace in the table.
        for path in usedPaths { batch.add(path, isDirect: false, needsRearm: true) }
        (usedPaths, haveMountsChanged) = ([], false)
    }

    /// Rearms the path of a change if it may lead elsewhere, and reports what was not observed meanwhile.
    func rearm(for change: EventBatch.PathChange) {
        guard let registration = registrations[change.path] else { return }
        usedPaths.insert(change.path)
        if case .polling(let reason) = registration.status, reason.isLimit {
            // While a limit is reached, `retry` tries one path at a time.
            if !change.isDirect { registration.reportChange() }
            return
        }
        guard change.needsRearm || registration.isUnreachable else { return }
        let isChanged = arm(registration)
        if isChanged || !change.isDirect { registration.reportChange() }
    }

    private func handle(overflows: Int) {
        statistics.overflows += overflows
        for registration in registrations.values {
            registration.count(overflows: overflows)
            registration.reportChange()
        }
        restart()
    }

    /// Drops all watches, arms all paths again and reports a change for each.
    func restart(isDescriptorLost: Bool = false) {
        statistics.restarts += 1
        let failure = backend.restart(isDescriptorLost: isDescriptorLost)
        for registration in registrations.values {
            if let failure, registration.method == .automatic {
                setPollingReason(failure, registration)
            } else {
                arm(registration, mayRestart: false)
            }
            registration.reportChange()
        }
    }

    /// Arms a path. Returns whether other inodes are watched than before.
    @discardableResult
    private func arm(_ registration: WatchRegistration, mayRestart: Bool = true) -> Bool {
        guard registration.method == .automatic else {
            startPolling(registration, .requested())
            return false
        }
        usedPaths.insert(registration.id)
        let result = backend.arm(registration.id, registration.path)
        if result.needsRestart, mayRestart {
            restart()
            return false
        }
        if result.isChanged { registration.countRearm() }
        setPollingReason(result.pollingReason, registration)
        return result.isChanged
    }

    /// Polls a path for a reason, or stops polling it if there is none.
    private func setPollingReason(_ reason: FileWatchReason?, _ registration: WatchRegistration) {
        guard registrations[registration.id] != nil else { return }
        if let reason { return startPolling(registration, reason) }
        retries.remove(registration.id)
        polling.remove(registration.id)
        registration.setStatus(.live, backend: backend.kind)
    }

    /// Polls a path in addition to the events that inotify reports for it.
    private func startPolling(_ registration: WatchRegistration, _ reason: FileWatchReason) {
        polling.add(registration.id, registration.path)
        // Without mount notifications no event reports that the path leads elsewhere.
        let hasNoMountEvents = reason.code == .fileSystem && mounts.descriptor < 0
        if reason.isRetryable || hasNoMountEvents || polling.hasNoThread {
            retries.insert(registration.id, .now)
        } else {
            retries.remove(registration.id)
        }
        registration.setStatus(.polling(reason), backend: .polling)
    }

    /// Retries inotify for the polled paths that are due.
    func retry(_ now: Instant) {
        // A limit that is reached for one path is reached for all.
        var isLimitReached = false
        for path in retries.takeDue(now) {
            guard let registration = registrations[path] else { continue }
            // Without a polling thread each retry counts as a change.
            if polling.hasNoThread, polling.polls(path) { registration.reportChange() }
            if isLimitReached { continue }
            // Changes before the path was watched were not observed.
            if arm(registration) || registration.status == .live { registration.reportChange() }
            if case .polling(let reason) = registration.status { isLimitReached = reason.isLimit }
        }
    }
}

extension WatchLoop {
    /// Begins to watch a path. Returns the reason if that fails.
    func add(_ registration: WatchRegistration) -> FileWatchReason? {
        readMountsOnce()
        let reason = registration.method == .polling ? .requested() : armFirst(registration)
        if let reason, !reason.permitsPolling {
            backend.remove(registration.id)
            return reason
        }
        registrations[registration.id] = registration
        setPollingReason(reason, registration)
        publish()
        return nil
    }

    private func armFirst(_ registration: WatchRegistration) -> FileWatchReason? {
        usedPaths.insert(registration.id)
        let result = backend.arm(registration.id, registration.path)
        guard result.needsRestart else { return result.pollingReason }
        restart()
        return backend.arm(registration.id, registration.path).pollingReason
    }

    /// Reads the mount table if it has not been read yet.
    private func readMountsOnce() {
        guard let paths = mounts.readFirst(.now) else { return }
        var batch = EventBatch()
        backend.mountsChanged(at: paths, mounts.table, in: &batch)
        for change in batch.changes { rearm(for: change) }
    }

    func remove(_ path: PathID) {
        guard registrations.removeValue(forKey: path) != nil else { return }
        usedPaths.remove(path)
        retries.remove(path)
        backend.remove(path)
        polling.remove(path)
    }

    /// Makes the current statistics visible to other threads.
    func publish() {
        statistics.filesWatched = registrations.count
        statistics.filesPolled = polling.count
        statistics.backend = backend.descriptor < 0 ? nil : backend.kind
        statistics.fallbackReason = backend.fallbackReason
        statistics.kernelWatches = backend.kernelWatches
        statistics.staleRecords = backend.staleRecords
        published.withLock { $0 = statistics }
    }
}

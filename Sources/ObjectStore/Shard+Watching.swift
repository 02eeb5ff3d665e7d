internal import Locking
internal import LosslessJSON
internal import SessionMirror

// Changes of the index by other programs.
extension Shard {
    /// Reasons to check the index against the files.
    struct PendingFileCheck {
        /// Whether another program has changed the index.
        var isChanged = false
        /// The files that this process has saved, by identifier. Keyed by `JSON`, which compares bytes.
        var saved: [JSON: ObjectName] = [:]
        /// The number of failed checks in a row.
        var failures = 0
        /// The index after the last observed change. An entry that is added and removed between two observations is not
        /// reported.
        var observed: JSON?
        var isScheduled = false
    }

    /// Completes the index some time after another program has changed it: it may have removed entries, or changed them
    /// to files that do not exist.
    func watchEntries() {
        // Begin with the current index, because another thread may have saved an object already.
        let new = session.observe("", initial: true) { [weak self] change in
            guard let self else { return }
            pendingCheck.withLock { $0.observed = change.new }
            if change.origin == .external { checkFilesLater { ($0.isChanged, $0.failures) = (true, 0) } }
        }
        subscription.withLock { $0 = new }
    }

    /// Records a reason, and schedules one check after 500 ms, when programs that remove files have probably finished.
    func checkFilesLater(_ add: (inout PendingFileCheck) -> Void) {
        let isFirst = pendingCheck.withLock { check in
            add(&check)
            defer { check.isScheduled = true }
            return !check.isScheduled
        }
        if isFirst { session.run(after: .milliseconds(500)) { [weak self] _ in self?.checkFiles() } }
    }

    private func checkFiles() {
        let (isChanged, saved) = pendingCheck.withLock { check in
            check.isScheduled = false
            defer { check.saved = [:] }
            return (check.isChanged, check.saved)
        }
        let isLost = saved.contains { entry(of: $0.key.string!).name != $0.value }  // the keys are identifiers
        let unobserved = saved.filter { key, _ in
            let identifier = key.string!
            return pendingCheck.withLock { Entry($0.observed?[identifier]).name == nil }
                && entry(of: identifier).name != nil
        }
        if !unobserved.isEmpty { checkFilesLater { $0.saved.merge(unobserved) { newer, _ in newer } } }
        if !isChanged && !isLost { return }
        var (isLacking, failure) = (true, ObjectStoreError?.none)
        do throws(ObjectStoreError) { isLacking = try lacksEntries() } catch { failure = error }
        // Do not wait for the commit: the indexes of many shards may change at once.
        if isLacking, failure == nil { session.startCommit(indexChange(completion)) }
        let (isRepeated, isAbandoned) = pendingCheck.withLock { [isLacking] check in
            check.failures = isLacking ? check.failures + 1 : 0
            let isRepeated = isLacking && check.failures <= Self.checkLimit
            // If another check is scheduled, the index may have changed since this one has read it.
            if !check.isScheduled { check.isChanged = isRepeated }
            return (isRepeated, check.failures > Self.checkLimit)
        }
        // Repeat until the entries are there, or the limit is reached. Then loading an object without an entry tries
        // again, and throws if that fails.
        if isRepeated { checkFilesLater { $0.isChanged = true } }
        if isAbandoned {
            let problem = SessionProblem(.unsaved, in: indexPath, "entries of saved objects are missing")
            let reason = failure ?? ObjectStoreError(.index(problem), nil, indexPath)
            incompleteness.withLock { $0 = reason }
        }
    }

    private static let checkLimit = 5
}

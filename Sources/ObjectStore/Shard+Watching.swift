internal import Locking
internal import LosslessJSON
internal import SessionMirror

// Changes of the index by other programs.
extension Shard {
    /// Reasons to check the index against the files.
    struct Doubts {
        /// Whether another program has changed the index.
        var isChanged = false
        /// The files that this process has saved, by identifier.
        var saved: [String: ObjectName] = [:]
        /// The number of failed checks in a row.
        var failures = 0
        /// The index after the last observed change. An entry that is added and removed between two observations is not
        /// reported.
        var observed: JSON?
        var isCheckScheduled = false
    }

    /// Completes the index some time after another program has changed it: it may have removed entries, or changed them
    /// to files that do not exist.
    func watchEntries() {
        // Begin with the current index, because another thread may have saved an object already.
        let new = session.observe("", initial: true) { [weak self] change in
            guard let self else { return }
            doubts.withLock { $0.observed = change.new }
            if change.origin == .external { checkFilesLater { $0.isChanged = true } }
        }
        subscription.withLock { $0 = new }
    }

    /// Records a reason, and schedules one check in 500 ms, when programs that remove files have probably finished.
    func checkFilesLater(_ add: (inout Doubts) -> Void) {
        let isFirst = doubts.withLock { doubts in
            add(&doubts)
            defer { doubts.isCheckScheduled = true }
            return !doubts.isCheckScheduled
        }
        if isFirst { session.run(after: .milliseconds(500)) { [weak self] _ in self?.checkFiles() } }
    }

    private func checkFiles() {
        let (isChanged, saved) = doubts.withLock { doubts in
            doubts.isCheckScheduled = false
            defer { doubts.saved = [:] }
            return (doubts.isChanged, doubts.saved)
        }
        let isLost = saved.contains { entry(of: $0.key).name != $0.value }
        let unobserved = saved.filter { identifier, _ in
            doubts.withLock { Entry($0.observed?[identifier]).name == nil } && entry(of: identifier).name != nil
        }
        if !unobserved.isEmpty { checkFilesLater { $0.saved.merge(unobserved) { newer, _ in newer } } }
        if !isChanged && !isLost { return }
        let isLacking = try? lacksEntries()
        // Do not wait for the commit: the indexes of many shards may change at once.
        if isLacking == true { session.startCommit(indexChange(completion)) }
        let isRepeated = doubts.withLock { doubts in
            doubts.failures = isLacking == false ? 0 : doubts.failures + 1
            let isRepeated = doubts.failures != 0 && doubts.failures <= Self.checkLimit
            doubts.isChanged = isRepeated
            return isRepeated
        }
        // Repeat until the entries are there, or the limit is reached.
        if isRepeated { checkFilesLater { $0.isChanged = true } }
    }

    private static let checkLimit = 5
}

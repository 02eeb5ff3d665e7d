internal import DurableFiles
internal import FileWatching
internal import Locking
internal import LosslessJSON

/// Keeps the value of a session, or of several sessions of different types, and its file in sync: performs the effects
/// of ``SyncState`` with real files, threads and time.
///
/// Everything that changes the value takes `updateLock` first, then the lock of the state. Loads and saves take
/// `updateLock` only to publish; a commit holds it while its change runs, and not while the result is written.
final class FileSynchronizer: Sendable {
    struct Measurements {
        var slowestReload = Duration.zero
        var slowestSave = Duration.zero
        var lastSave: Replacement?
    }

    let state: Lock<SyncState>
    let measurements = Lock(Measurements())
    /// The text that a save wrote last, or tried to, with its digest, which the next one needs if it finds the same text.
    let writtenText = Lock<(document: JSONDocument, digest: Digest)?>(nil)
    let updateLock = FairLock()
    let requests = SaveRequests()
    let loader: FileLoader
    let replaceOptions: ReplaceOptions
    let saveSettings: SaveTransaction.Settings
    private let start: SessionOptions.Start
    private let settlingTime: Duration
    /// nil to watch nothing.
    private let method: FileWatchMethod?
    private let watch = Lock<FileWatch?>(nil)
    let dispatchers: DispatcherList
    let pool: ThreadPool
    /// What all sessions of the file share.
    let attachments = Attachments()
    /// Called after the text of the file that the session knows has changed.
    let documentObservers = Lock<[ObjectIdentifier: @Sendable () -> Void]>([:])

    init(
        _ name: String, _ file: DurableFile, _ options: SessionOptions, _ decoder: any RootDecoding,
        defaults: AnySnapshotStorage, dispatchers: DispatcherList, pool: ThreadPool = .shared
    ) {
        let reconciler = Reconciler(
            file: name, decoder: decoder, policy: options.conflicts, arrays: options.arrays, secrets: options.secrets)
        var parsing = options.parsing
        parsing.acceptsBlankText = true
        state = Lock(SyncState(defaults: defaults, options, of: name, at: .now))
        loader = FileLoader(
            file: file, trustedOwners: options.trustedOwners, parsing: parsing, reconciler: reconciler)
        replaceOptions = options.replacing
        saveSettings = SaveTransaction.Settings(
            reconciler: reconciler, parsing: parsing, newFile: options.newFile)
        (start, settlingTime) = (options.start, options.settlingTime)
        method =
            switch options.watching {
            case .automatic: .automatic
            case .polling: .polling
            case .off: nil
            }
        self.dispatchers = dispatchers
        self.pool = pool
    }

    /// Starts the watch, then loads the file, so that no change in between is missed.
    ///
    /// - Throws: A ``SessionError`` if the path cannot be watched or the file does not meet `start`.
    func open() throws(SessionError) {
        if let method { try startWatch(by: method) }
        let result = loadInitially()
        if let error = start.error(of: result, in: path) {
            close()
            throw error
        }
        process { $0.initialLoadFinished(result) }
        for dispatcher in dispatchers.all { addUnobserved(to: dispatcher) }
    }

    /// Treats the current problems as unobserved, because a session that is being opened cannot have an observer yet.
    func addUnobserved(to dispatcher: ChangeDispatcher) {
        for report in currentReports(for: dispatcher).reports { dispatcher.unobservedProblems?.add(report) }
    }

    private func startWatch(by method: FileWatchMethod) throws(SessionError) {
        do throws(FileWatchError) {
            let watch = try FileWatch(loader.file.path, method: method) { [weak self] signal in self?.handle(signal) }
            self.watch.withLock { $0 = watch }
        } catch {
            throw SessionError(.cannotWatch, "\(error)", underlying: error)
        }
    }

    /// Loads the file. If the session cannot be opened with it, its writer may not have finished, so it is loaded again
    /// for the settling time.
    private func loadInitially() -> LoadResult {
        let syncBase = state.withLock { $0.syncBase }
        let deadline = Instant.now + settlingTime
        let retry = CountingSemaphore()
        while true {
            let result = loader.load(reconcilingWith: syncBase)
            state.withLock { $0.metrics.loads += 1 }
            if !start.isDoubtful(result) || .now >= deadline { return result }
            _ = pool.sleep(on: retry, until: min(deadline, .now + .milliseconds(10)))
        }
    }

    /// Saves pending changes, then ends the watch, because the last session was released.
    func release(_ dispatcher: ChangeDispatcher) {
        guard dispatchers.remove(dispatcher) else { return }
        if !needsSaving { return close() }
        ExitSaver.shared.retain(self)
        // Also while the file is invalid: once it is fixed, nothing else delays the save.
        process { $0.released(at: .now) }
        submit(
            SaveRequest(change: nil) { error in if error == nil || !self.hasPendingChanges { self.close() } },
            savingHere: false)
    }

    /// Ends the watch with the last session.
    func close(_ dispatcher: ChangeDispatcher) {
        if dispatchers.remove(dispatcher) { close() }
    }

    /// Ends the watch. The results of a running load or save are ignored.
    func close() {
        watch.withLock { $0 }?.cancel()
        process { $0.closed() }
        ExitSaver.shared.remove(self)
        dispatchers.removeAll()
    }
}

extension FileSynchronizer {
    var path: String { loader.path }

    /// The last valid text of the file; nil if the file does not exist.
    var document: JSONDocument? {
        if !ForkHandling.isForkedChild { return state.withLock { $0.syncBase.existingDocument } }
        // After a fork, a lock that another thread of the parent held stays locked forever.
        return state.withLockIfAvailable { $0.syncBase.existingDocument } ?? nil
    }

    /// The status as one session sees it.
    func status(for dispatcher: ChangeDispatcher) -> MirrorStatus {
        if !ForkHandling.isForkedChild { return state.withLock { $0.status.adding(dispatcher.snapshotCell.problem) } }
        // After a fork, a lock that another thread of the parent held stays locked forever.
        let content = state.withLockIfAvailable { $0.status.content }
        return MirrorStatus(watching: .notWatching, content: content ?? .good)
    }

    /// The current problems and status, and the number of the last report they include.
    func currentReports(for dispatcher: ChangeDispatcher) -> (reports: [MirrorReport], number: Int) {
        if ForkHandling.isForkedChild { return ([.status(status(for: dispatcher))], 0) }
        return state.withLock { state in
            let own = dispatcher.snapshotCell.problem
            let problems = [own].compactMap(\.self) + state.problems + state.status.warnings
            return (problems.map(MirrorReport.problem) + [.status(state.status.adding(own))], dispatcher.reportCount)
        }
    }

    func reload() {
        if !ForkHandling.isForkedChild { process { $0.fileChanged(at: .now) } }
    }

    var metrics: MirrorMetrics {
        if ForkHandling.isForkedChild { return MirrorMetrics() }
        let watched = watch.withLock { $0?.metrics }
        let measurements = measurements.withLock { $0 }
        var metrics = state.withLock { $0.metrics }
        metrics.slowestReload = measurements.slowestReload
        metrics.slowestSave = measurements.slowestSave
        metrics.rearms = watched?.rearms ?? 0
        metrics.overflows = watched?.overflows ?? 0
        return metrics
    }

    /// Forgets a problem without an observer, because it is written otherwise.
    func discardUnobserved(_ problem: SessionProblem) {
        for dispatcher in dispatchers.all { dispatcher.unobservedProblems?.discard(problem) }
    }

    var lastSave: Replacement? { ForkHandling.isForkedChild ? nil : measurements.withLock { $0.lastSave } }
}

extension FileSynchronizer {
    /// Runs on the thread that watches files.
    private func handle(_ signal: FileWatchSignal) {
        switch signal {
        case .mayHaveChanged: reload()
        case .status(.live): process { $0.watchingChanged(to: .live) }
        case .status(.polling(let reason)): process { $0.watchingChanged(to: .polling(reason)) }
        }
    }

    /// Applies an event to the state and performs the effects. Returns whether the caller must save.
    @discardableResult
    func process(savingHere: Bool = false, _ event: (inout SyncState) -> [SyncState.Effect]) -> Bool {
        perform(apply(event), savingHere: savingHere)
    }

    /// The effects of an event that remain to be performed.
    struct PendingEffects {
        fileprivate var effects: [SyncState.Effect]
        fileprivate let replaced: ReplacedObjects

        mutating func fail(_ requests: [SaveRequest], with error: any Error) {
            effects.append(.failRequests(error, requests))
        }
    }

    /// Applies an event to the state. Publishes snapshots and queues reports under the lock of the state, so that they
    /// keep the order of the events.
    func apply(_ event: (inout SyncState) -> [SyncState.Effect]) -> PendingEffects {
        state.withLock { state in
            var effects = event(&state)
            var replaced = ReplacedObjects()
            for index in effects.indices {
                publish(effects[index], state.status, &replaced)
                // Not later, when a request may wait that came after what failed.
                if case .failRequests(let error, nil) = effects[index] {
                    effects[index] = .failRequests(error, requests.takeAll())
                }
            }
            return PendingEffects(effects: effects, replaced: replaced)
        }
    }

    /// Performs the remaining effects. Must be called outside the lock of the state and outside `updateLock`, because
    /// callbacks may run in here, and may change the session.
    @discardableResult
    func perform(_ pending: PendingEffects, savingHere: Bool = false, isUpdate: Bool = false) -> Bool {
        if pending.effects.contains(where: { $0.isStatus }) { ExitSaver.shared.track(self) }
        var (mustSave, hasPostedJob) = (false, false)
        for effect in pending.effects {
            if savingHere, case .save = effect {
                mustSave = true
            } else {
                hasPostedJob = hasPostedJob || effect.isJob
                perform(effect)
            }
        }
        // After posting the jobs, because delivery runs key paths and comparisons of user code, which may never return.
        if pending.effects.contains(where: { $0.needsDelivery }) {
            if hasPostedJob { ThreadPool.blocking(post) } else { post() }
        }
        // Last, so that delivery does not wait for it. A thread that updates in a loop retires its own snapshots, so
        // that it cannot outrun the reclaimer.
        if isUpdate {
            pending.replaced.retire()
        } else if !pending.replaced.isEmpty {
            pool.run { pending.replaced.retire() }
        }
        return mustSave
    }

    private func publish(
        _ effect: SyncState.Effect, _ status: MirrorStatus, _ replaced: inout ReplacedObjects
    ) {
        switch effect {
        case .publish(let snapshot):
            for dispatcher in dispatchers.all { dispatcher.publish(snapshot, status, &replaced) }
        case .report(let report): dispatchers.add(report)
        case .load, .save, .wake, .failRequests, .free: break
        }
    }

    private func post() { for dispatcher in dispatchers.all { dispatcher.post(on: pool) } }

    private func perform(_ effect: SyncState.Effect) {
        switch effect {
        case .load(let isExclusive): schedule { [weak self] in self?.performLoad(exclusively: isExclusive) }
        case .save: schedule { self.save() }
        case .wake(let moment): pool.run(at: moment) { [weak self] in self?.process { $0.timePassed(at: .now) } }
        case .failRequests(let error, let requests): for request in requests ?? [] { request.completion(error) }
        // Released with the list of effects.
        case .free(let replaced, _): callDocumentObservers(ifTextWas: replaced)
        // Done by `apply`.
        case .publish, .report: break
        }
    }

    private func callDocumentObservers(ifTextWas replaced: JSONDocument?) {
        let observers = documentObservers.withLock { $0 }
        if observers.isEmpty { return }
        if let replaced, let document, replaced.hasSameText(as: document) { return }
        for observer in observers.values { observer() }
    }

    /// Runs the job after the handlers of the watching thread if this is that thread, otherwise on a worker.
    private func schedule(_ job: @escaping Job) {
        let thread = BorrowedThread(of: pool, for: job)
        if !FileWatch.runAfterHandlers(thread.run, onTakeover: thread.didBlock) { pool.run(job) }
    }
}

extension SyncState {
    fileprivate init(
        defaults: AnySnapshotStorage, _ options: SessionOptions, of file: String, at moment: Instant
    ) {
        let timing = SyncTiming(
            settlingTime: options.settlingTime, settlingLimit: options.settlingLimit, savingDelay: options.savingDelay,
            savingLimit: options.savingLimit)
        let ownWrites = OwnWriteLog(limits: OwnWriteLog.Limits(staleWriteWindow: options.staleWriteWindow))
        self.init(defaults: defaults, timing: timing, ownWrites: ownWrites, of: file, at: moment)
        secrets = options.secrets
        if case .off = options.watching { status.watching = .notWatching }
    }
}

extension SyncState.Effect {
    /// Whether subscribers must be called.
    fileprivate var needsDelivery: Bool {
        switch self {
        case .publish, .report: true
        case .load, .save, .wake, .failRequests, .free: false
        }
    }

    /// Whether performing it posts a job.
    fileprivate var isJob: Bool {
        switch self {
        case .load, .save: true
        case .publish, .report, .wake, .failRequests, .free: false
        }
    }

    fileprivate var isStatus: Bool { if case .report(.status) = self { true } else { false } }
}

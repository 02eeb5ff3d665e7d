internal import DurableFiles
internal import FileWatching
internal import Locking
internal import LosslessJSON

/// Keeps a session and its file the same: does what ``MirrorState`` decides, with real files, threads and time.
///
/// Whatever changes the value takes the ``turn`` first, then the lock of the state; a look and a save take the turn only
/// to publish, a commit from the moment its change is made.
final class Mirroring: Sendable {
    struct Timing {
        var looks = 0
        var slowestReload = Duration.zero
        var slowestSave = Duration.zero
        var lastSave: Replacement?
    }

    let state: Lock<MirrorState>
    let timing = Lock(Timing())
    let turn = Turn()
    let requests = SaveRequests()
    let look: FileLook
    let saving: Saving
    private let isWatching: Bool
    private let method: FileWatchMethod
    private let watch = Lock<FileWatch?>(nil)
    private let published: any Newsstand
    private let bulletin: Bulletin
    let workers: Workers

    /// How the file is written.
    struct Saving: Sendable {
        let options: ReplaceOptions
        let ground: Save.Ground
    }

    init(
        _ name: String, _ file: DurableFile, _ options: SessionOptions, _ understanding: any Understanding,
        published: any Newsstand, bulletin: Bulletin, workers: Workers = .shared
    ) {
        let meeting = Meeting(file: name, understanding: understanding, policy: options.conflicts)
        state = Lock(MirrorState(defaults: published.newest, options, at: .now))
        look = FileLook(file: file, parsing: options.parsing, meeting: meeting)
        saving = Saving(
            options: options.replacing,
            ground: Save.Ground(meeting: meeting, parsing: options.parsing, newFile: options.newFile))
        isWatching = options.isWatching
        method = options.isPolled ? .polling : .automatic
        self.published = published
        self.bulletin = bulletin
        self.workers = workers
    }

    /// Watches, then looks for the first time: what happens in between is not missed.
    func open() throws(FileWatchError) {
        if isWatching {
            let watch = try FileWatch(look.file.path, method: method) { [weak self] signal in self?.signalled(signal) }
            self.watch.withLock { $0 = watch }
        }
        let standing = state.withLock { $0.standing }
        let sight = timed { look.look(from: standing) }
        decide { $0.opened(sight) }
    }

    /// Nobody uses the session any more: what is pending is saved, then the watching ends.
    func release() {
        if !isToBeSaved { return close() }
        LastSaves.shared.keep(self)
        // Also where the file is no good now: when it is mended, nothing else is waited for.
        decide { $0.released(at: .now) }
        want(
            SaveRequest(change: nil) { error in if error == nil || !self.isPending { self.close() } },
            savingHere: false)
    }

    /// Ends the watching. What is under way leads to nothing.
    func close() {
        watch.withLock { $0 }?.cancel()
        decide { $0.closed() }
        LastSaves.shared.remove(self)
    }
}

extension Mirroring: MirroredFile {
    var path: String { look.path }

    /// In the child of a fork the lock may be held for ever.
    var status: MirrorStatus {
        if !Forking.madeThisProcess { return state.withLock { $0.status } }
        let content = state.withLockIfAvailable { $0.status.content }
        return MirrorStatus(watching: .frozen, content: content ?? .good)
    }

    var standing: (reports: [MirrorReport], number: Int) {
        if Forking.madeThisProcess { return ([.status(status)], 0) }
        return state.withLock { ($0.problems.map(MirrorReport.problem) + [.status($0.status)], bulletin.reportCount) }
    }

    func lookAgain() {
        if !Forking.madeThisProcess { decide { $0.signalled(at: .now) } }
    }

    var metrics: MirrorMetrics {
        if Forking.madeThisProcess { return MirrorMetrics() }
        let watched = watch.withLock { $0?.metrics }
        let timing = timing.withLock { $0 }
        var metrics = state.withLock { $0.metrics }
        metrics.looks = timing.looks
        metrics.slowestReload = timing.slowestReload
        metrics.slowestSave = timing.slowestSave
        metrics.rearms = watched?.rearms ?? 0
        metrics.overflows = watched?.overflows ?? 0
        return metrics
    }

    var lastSave: Replacement? { Forking.madeThisProcess ? nil : timing.withLock { $0.lastSave } }
}

extension Mirroring {
    /// Runs on the hub's thread.
    private func signalled(_ signal: FileWatchSignal) {
        switch signal {
        case .lookAgain: lookAgain()
        case .status(.live): decide { $0.watchingChanged(to: .live) }
        case .status(.polling(let reason)): decide { $0.watchingChanged(to: .polling("\(reason)")) }
        }
    }

    /// Lets the state decide and does what it says. Whether the caller is to save.
    @discardableResult
    func decide(savingHere: Bool = false, _ event: (inout MirrorState) -> [MirrorState.Effect]) -> Bool {
        carryOut(decided(event), savingHere: savingHere)
    }

    /// What the state has decided, and what is left to be done of it.
    struct Decision {
        fileprivate let effects: [MirrorState.Effect]
        fileprivate let replaced: [Replaced]
    }

    /// Lets the state decide. What readers and listeners get they get while no other decision can come in between, so that
    /// it comes in order.
    func decided(_ event: (inout MirrorState) -> [MirrorState.Effect]) -> Decision {
        state.withLock { state in
            let effects = event(&state)
            return Decision(effects: effects, replaced: effects.compactMap(announce))
        }
    }

    /// The rest, outside the lock and outside the turn: callbacks may run in here, and they may change the session.
    @discardableResult
    func carryOut(_ decision: Decision, savingHere: Bool = false, isUpdate: Bool = false) -> Bool {
        if decision.effects.contains(where: { $0.isNews }) { bulletin.post(on: workers) }
        if decision.effects.contains(where: { $0.isStatus }) { LastSaves.shared.note(self) }
        var isToSave = false
        for effect in decision.effects {
            if savingHere, case .save = effect { isToSave = true } else { perform(effect) }
        }
        // Last, so that nobody who waits for the news waits for this; but who updates in a loop is not to be faster than it.
        if isUpdate {
            retire(decision.replaced)
        } else if !decision.replaced.isEmpty {
            workers.run { self.retire(decision.replaced) }
        }
        return isToSave
    }

    private func announce(_ effect: MirrorState.Effect) -> Replaced? {
        switch effect {
        case .publish(let edition): return published.put(edition)
        case .report(let report): bulletin.add(report)
        case .look, .save, .wake, .refuse: break
        }
        return nil
    }

    private func retire(_ replaced: [Replaced]) {
        for edition in replaced { edition.retire() }
    }

    private func perform(_ effect: MirrorState.Effect) {
        switch effect {
        case .look(let isAlone): soon { [weak self] in self?.makeLook(alone: isAlone) }
        case .save: soon { self.save() }
        case .wake(let moment): workers.run(at: moment) { [weak self] in self?.decide { $0.timePassed(at: .now) } }
        case .refuse(let error): for request in requests.takeAll() { request.answer(error) }
        case .publish, .report: break
        }
    }

    /// If this is the thread that noticed the edit, it runs the job as well, when it has noticed all.
    private func soon(_ job: @escaping Job) {
        let guest = Guest(of: workers, for: job)
        if !FileWatch.afterHandlers(do: guest.work, ifLong: guest.stays) { workers.run(job) }
    }
}

extension MirrorState {
    fileprivate init(defaults: AnyEdition, _ options: SessionOptions, at moment: Moment) {
        let patience = Patience(
            quiet: options.settlingTime, limit: options.settlingLimit, savingQuiet: options.savingDelay,
            savingLimit: options.savingLimit)
        let own = OwnValues(reach: OwnValues.Reach(restoring: options.restoringTime))
        self.init(defaults: defaults, patience: patience, own: own, at: moment)
        if !options.isWatching { status.watching = .frozen }
    }
}

extension MirrorState.Effect {
    /// Whether somebody outside is to hear of it.
    fileprivate var isNews: Bool {
        switch self {
        case .publish, .report: true
        case .look, .save, .wake, .refuse: false
        }
    }

    fileprivate var isStatus: Bool { if case .report(.status) = self { true } else { false } }
}

internal import DurableFiles
internal import FileWatching
internal import Locking
internal import LosslessJSON

/// Keeps a session and its file the same: does what ``MirrorState`` decides, with real files, threads and time.
final class Mirroring: Sendable {
    private struct Timing {
        var looks = 0
        var slowest = Duration.zero
    }

    private let state: Lock<MirrorState>
    private let timing = Lock(Timing())
    private let watch = Lock<FileWatch?>(nil)
    private let file: FileLook
    private let published: any Newsstand
    private let bulletin: Bulletin
    private let workers: Workers

    init(
        _ file: FileLook, patience: MirrorState.Patience, published: any Newsstand,
        bulletin: Bulletin, workers: Workers = .shared
    ) {
        state = Lock(MirrorState(defaults: published.newest, patience: patience, at: .now))
        self.file = file
        self.published = published
        self.bulletin = bulletin
        self.workers = workers
    }

    /// Watches, then looks for the first time: what happens in between is not missed.
    func open() throws(FileWatchError) {
        let watch = try FileWatch(file.file.path) { [weak self] signal in self?.signalled(signal) }
        self.watch.withLock { $0 = watch }
        let sight = timed { file.look(since: nil) }
        decide { $0.opened(sight) }
    }

    /// Ends the watching. What is under way leads to nothing.
    func close() {
        watch.withLock { $0 }?.cancel()
        decide { $0.closed() }
    }
}

extension Mirroring: MirroredFile {
    var path: String { file.path }

    var status: MirrorStatus { standing.0 }

    /// In the child of a fork the lock may be held for ever.
    var standing: (MirrorStatus, Int) {
        if !Forking.madeThisProcess { return state.withLock { ($0.status, bulletin.reportCount) } }
        var content = MirrorStatus.Content.good
        if let status = state.withLockIfAvailable({ $0.status }) { content = status.content }
        return (MirrorStatus(watching: .frozen, content: content), 0)
    }

    func look() {
        if !Forking.madeThisProcess { decide { $0.signalled(at: .now) } }
    }

    var metrics: MirrorMetrics {
        if Forking.madeThisProcess { return MirrorMetrics() }
        let watched = watch.withLock { $0?.metrics }
        let timing = timing.withLock { $0 }
        return state.withLock { state in
            MirrorMetrics(
                looks: timing.looks, reloads: state.reloads, refusals: state.refusals, rearms: watched?.rearms ?? 0,
                overflows: watched?.overflows ?? 0, slowestReload: timing.slowest)
        }
    }
}

extension Mirroring {
    /// Runs on the hub's thread.
    private func signalled(_ signal: FileWatchSignal) {
        switch signal {
        case .lookAgain: look()
        case .status(.live): decide { $0.watchingChanged(to: .live) }
        case .status(.polling(let reason)): decide { $0.watchingChanged(to: .polling("\(reason)")) }
        }
    }

    /// Lets the state decide and does what it says: what readers and listeners get while no other decision can come in
    /// between, so that they get it in order; the rest outside the lock.
    private func decide(_ event: (inout MirrorState) -> [MirrorState.Effect]) {
        let (effects, replaced) = state.withLock { state in
            let effects = event(&state)
            return (effects, effects.compactMap(announce))
        }
        if effects.contains(where: { $0.isNews }) { bulletin.post(on: workers) }
        for effect in effects { perform(effect) }
        // Last, so that nobody who waits for the news waits for this.
        if !replaced.isEmpty { workers.run { for edition in replaced { edition.retire() } } }
    }

    private func announce(_ effect: MirrorState.Effect) -> Replaced? {
        switch effect {
        case .publish(let edition): return published.put(edition)
        case .report(let report): bulletin.add(report)
        case .look, .wake: break
        }
        return nil
    }

    private func perform(_ effect: MirrorState.Effect) {
        switch effect {
        case .look: soon { [weak self] in self?.lookAgain() }
        case .wake(let moment): workers.run(at: moment) { [weak self] in self?.decide { $0.timePassed(at: .now) } }
        case .publish, .report: break
        }
    }

    /// If this is the thread that noticed the edit, it runs the job as well, when it has noticed all.
    private func soon(_ job: @escaping Job) {
        let guest = Guest(of: workers, for: job)
        if !FileWatch.afterHandlers(do: guest.work, ifLong: guest.stays) { workers.run(job) }
    }

    private func lookAgain() {
        let base = state.withLock { $0.base }
        let sight = timed { file.look(since: base) }
        decide { $0.looked(sight, at: .now) }
    }

    private func timed(_ look: () -> Sight) -> Sight {
        let began = Moment.now
        let sight = look()
        let time = Moment.now - began
        timing.withLock {
            $0.looks += 1
            if case .good(_, _, isChanged: true) = sight { $0.slowest = max($0.slowest, time) }
        }
        return sight
    }
}

extension MirrorState.Effect {
    /// Whether somebody outside is to hear of it.
    fileprivate var isNews: Bool {
        switch self {
        case .publish, .report: true
        case .look, .wake: false
        }
    }
}

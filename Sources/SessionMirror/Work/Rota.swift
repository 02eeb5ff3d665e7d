internal import Locking

/// Decides which worker does what: a pure value, behind the lock of ``Workers``.
///
/// Workers are numbers here. One that is awake asks ``next(for:at:)`` what to do. Everything else returns ``Summons``:
/// who is to be woken or started, who then asks in turn.
///
/// - As many jobs as there are `lanes` run at a time, the first that came first. One worker is woken for the first job
///   that waits; when it takes it and more wait, it wakes the next.
/// - One worker, the lookout, sleeps until the earliest timer is due. Where jobs wait and all lanes are taken it also
///   looks after `patience` whether any was begun meanwhile; if not, somebody who has a lane is taken to be blocked and
///   loses it, until its job ends.
/// - The others are idle; who is idle for `idleTime` ends.
struct Rota {
    /// Who is to come and ask.
    struct Summons: Equatable {
        var woken: [Int] = []
        var started: [Int] = []
    }

    enum Step {
        case run(Job)
        case sleep(until: Moment)
        case end
    }

    private enum Duty {
        case summoned, running, blocked
        /// Running what may never return.
        case callingOut
        case idle(until: Moment)
        case lookingOut(until: Moment, forLull: Bool)
    }

    let lanes: Int
    let idleTime: Duration
    let patience: Duration

    private var jobs = JobQueue()
    private var timers = TimerQueue()
    private var duties: [Duty?]
    /// Threads that are none of the workers and do as those do for a moment: nobody is woken for what they put off.
    private var guests: Set<Int> = []
    private var running = 0
    /// How many of those will come back soon.
    private var trusted = 0
    private var summoned = 0
    /// Who became idle last is woken first, so that those who are not needed end.
    private var idle: [Int] = []
    private var lookout: Int?
    /// How many jobs were begun, ever.
    private var begun: UInt64 = 0
    /// Since when it is known that jobs wait and none was begun.
    private var lull: (since: Moment, begun: UInt64)?

    init(lanes: Int, most: Int, idleTime: Duration, patience: Duration) {
        (self.lanes, self.idleTime, self.patience) = (lanes, idleTime, patience)
        duties = Array(repeating: nil, count: most)
    }
}

// What happens.
extension Rota {
    /// A job came; from a worker that will come for it by itself, or from elsewhere.
    mutating func posted(_ job: @escaping Job, by worker: Int?) -> Summons {
        jobs.append(job)
        return isRunning(worker) ? Summons() : summon()
    }

    mutating func posted(_ job: @escaping Job, at moment: Moment, by worker: Int?) -> Summons {
        timers.add(job, at: moment)
        return isRunning(worker) ? Summons() : summon(aLookout: true)
    }

    /// A worker is about to call what may never return, so nothing may wait for it. For a guest nobody is woken: most
    /// calls are short, and of those that are not we are told, see ``guestStays(_:)``.
    mutating func mayBlock(_ worker: Int) -> Summons {
        if isRunning(worker) {
            duties[worker] = .callingOut
            trusted -= 1
        }
        return guests.contains(worker) ? Summons() : summon()
    }

    /// A guest comes and runs a job of its own; nil if all lanes are taken.
    mutating func guestCame() -> Int? {
        guard running < lanes, let guest = duties.firstIndex(where: { $0 == nil }) else { return nil }
        guests.insert(guest)
        begin(guest)
        return guest
    }

    /// A guest has run its job: what it runs next, or nil, and then it has left. One that has stayed long gets nothing.
    mutating func next(forGuest guest: Int) -> (job: Job?, summons: Summons) {
        leave(guest)
        if guests.contains(guest), let job = take(guest) { return (job, Summons()) }
        guests.remove(guest)
        return (nil, summon())
    }

    /// A guest takes long: nothing may wait for it any more.
    mutating func guestStays(_ guest: Int) -> Summons {
        guests.remove(guest) == nil ? Summons() : mayBlock(guest)
    }

    /// A worker could not be started.
    mutating func didNotStart(_ worker: Int) { leave(worker) }

    /// A worker is awake, for whatever reason, and its last job is over.
    mutating func next(for worker: Int, at now: Moment) -> (step: Step, summons: Summons) {
        var idleEnd: Moment?
        if case .idle(let end) = duties[worker] { idleEnd = end }
        leave(worker)
        while let job = timers.takeFirst(at: now) { jobs.append(job) }
        if lookout == nil { lookForLull(at: now) }
        let step = take(worker).map(Step.run) ?? lookOut(worker) ?? rest(worker, until: idleEnd ?? now + idleTime, now)
        return (step, summon())
    }

    private func isRunning(_ worker: Int?) -> Bool {
        guard let worker, case .running = duties[worker] else { return false }
        return true
    }

    private mutating func leave(_ worker: Int) {
        switch duties[worker] {
        case .summoned: summoned -= 1
        case .running: (running, trusted) = (running - 1, trusted - 1)
        case .callingOut: running -= 1
        case .idle: idle.removeAll { $0 == worker }
        case .lookingOut: lookout = nil
        case .blocked, nil: break
        }
        duties[worker] = nil
    }
}

// What a worker does next.
extension Rota {
    private mutating func take(_ worker: Int) -> Job? {
        guard running < lanes, let job = jobs.takeFirst() else { return nil }
        begin(worker)
        return job
    }

    private mutating func begin(_ worker: Int) {
        (running, trusted) = (running + 1, trusted + 1)
        begun += 1
        duties[worker] = .running
    }

    private mutating func lookOut(_ worker: Int) -> Step? {
        let endOfLull = isCrowded ? lull.map { $0.since + patience } : nil
        guard lookout == nil, let moment = [timers.first, endOfLull].compactMap(\.self).min() else { return nil }
        lookout = worker
        duties[worker] = .lookingOut(until: moment, forLull: endOfLull != nil)
        return .sleep(until: moment)
    }

    private mutating func rest(_ worker: Int, until end: Moment, _ now: Moment) -> Step {
        if end <= now { return .end }
        idle.append(worker)
        duties[worker] = .idle(until: end)
        return .sleep(until: end)
    }

    /// All lanes are taken, and somebody waits for one.
    private var isCrowded: Bool { !jobs.isEmpty && running >= lanes }

    private mutating func lookForLull(at now: Moment) {
        guard isCrowded else {
            lull = nil
            return
        }
        guard let lull, lull.begun == begun else {
            lull = (now, begun)
            return
        }
        if now < lull.since + patience { return }
        self.lull = nil
        guard let blocked = firstCallingOut ?? firstRunning else { return }
        leave(blocked)
        duties[blocked] = .blocked
    }
}

// Who is needed.
extension Rota {
    /// A lookout is not summoned for timers while a worker runs that will come back soon: it becomes one itself when there
    /// is nothing else to do. To wake another would cost more than most jobs.
    private mutating func summon(aLookout isForced: Bool = false) -> Summons {
        var summons = Summons()
        let isLookoutNeeded = isCrowded || timers.first != nil && (isForced || trusted == 0)
        if let lookout, isLookoutNeeded, !isWatched(by: lookout) { wake(lookout, &summons) }
        while summoned < (isWorkerNeeded ? 1 : 0) + (isLookoutNeeded && lookout == nil ? 1 : 0) {
            if let worker = idle.last {
                wake(worker, &summons)
            } else if isWorkerNeeded, let lookout {
                wake(lookout, &summons)
            } else if let worker = duties.firstIndex(where: { $0 == nil }) {
                start(worker, &summons)
            } else {
                break
            }
        }
        return summons
    }

    private var isWorkerNeeded: Bool { !jobs.isEmpty && running < lanes }

    private var firstCallingOut: Int? {
        duties.firstIndex { if case .callingOut = $0 { true } else { false } }
    }

    private var firstRunning: Int? { duties.firstIndex { if case .running = $0 { true } else { false } } }

    /// Whether the lookout will wake early enough.
    private func isWatched(by lookout: Int) -> Bool {
        guard case .lookingOut(let moment, let forLull) = duties[lookout] else { return false }
        return (timers.first.map { moment <= $0 } ?? true) && (forLull || !isCrowded)
    }

    private mutating func wake(_ worker: Int, _ summons: inout Summons) {
        leave(worker)
        expect(worker)
        summons.woken.append(worker)
    }

    private mutating func start(_ worker: Int, _ summons: inout Summons) {
        expect(worker)
        summons.started.append(worker)
    }

    private mutating func expect(_ worker: Int) {
        duties[worker] = .summoned
        summoned += 1
    }
}

internal import Glibc
internal import Locking

/// The threads that do what takes time: read files, decode, save, call subscribers, reclaim.
///
/// ```swift
/// Workers.shared.run { read(path) }
/// Workers.shared.run(at: .now + .milliseconds(250)) { save() }
/// ```
///
/// There is no thread before the first job, and none after 5 s without one, unless a timer is pending: that keeps one
/// asleep. Nothing polls. Jobs run in the order in which they come, two at a time or as many as there are processors.
/// A job that does not end stalls the others for about 10 ms, then one more thread takes its place, up to 64 threads.
///
/// A job that is posted by another job is run by the same thread next, without waking anyone. So a job that goes on to
/// call what may never return, a subscriber above all, does that in ``callingOut(_:)``.
///
/// In the child of a fork nothing runs any more: jobs are dropped. Where the system gives no thread, jobs wait for the
/// next one that is posted.
final class Workers: Sendable {
    static let shared = Workers(name: "session-worker")

    /// Of its threads, for /proc and debuggers; at most 15 bytes.
    let name: String

    private let rota: Lock<Rota>
    /// One for each thread that there may be. They outlive the threads, so a late wake-up finds its place.
    private let parkings: [Parking]

    init(
        name: String, lanes: Int = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))), idleTime: Duration = .seconds(5),
        patience: Duration = .milliseconds(10)
    ) {
        Forking.prepare()
        self.name = name
        parkings = (0..<64).map { _ in Parking() }
        rota = Lock(Rota(lanes: lanes, most: parkings.count, idleTime: idleTime, patience: patience))
    }

    /// Runs the job on a worker, soon.
    func run(_ job: @escaping @Sendable () -> Void) {
        if Forking.madeThisProcess { return }
        let worker = trustedWorker
        heed(rota.withLock { $0.posted(job, by: worker) })
    }

    /// Runs the job here, on a worker that will come back soon; otherwise on a worker, soon.
    func runHereOrSoon(_ job: @escaping @Sendable () -> Void) {
        if trustedWorker == nil { run(job) } else { job() }
    }

    /// Runs the job on a worker when the moment has come, never before.
    func run(at moment: Moment, _ job: @escaping @Sendable () -> Void) {
        if Forking.madeThisProcess { return }
        let worker = trustedWorker
        heed(rota.withLock { $0.posted(job, at: moment, by: worker) })
    }

    /// For what may never return: the code of users. On a worker, nothing that was posted waits for its end.
    static func callingOut<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let worker = Worker.current, !worker.isCallingOut else { return try body() }
        worker.isCallingOut = true
        defer { worker.isCallingOut = false }
        worker.workers.mayBlock(worker.number)
        return try body()
    }

    /// The number of the worker that this is called on, if it will come back soon.
    private var trustedWorker: Int? {
        guard let worker = Worker.current, worker.workers === self, !worker.isCallingOut else { return nil }
        return worker.number
    }

    private func mayBlock(_ worker: Int) { heed(rota.withLock { $0.mayBlock(worker) }) }

    private func heed(_ summons: Rota.Summons) {
        for number in summons.woken { parkings[number].wake() }
        for number in summons.started where !Worker.start(number, of: self) {
            rota.withLock { $0.didNotStart(number) }
        }
    }
}

// For its workers.
extension Workers {
    func next(for number: Int) -> Rota.Step {
        let now = Moment.now
        let (step, summons) = rota.withLock { $0.next(for: number, at: now) }
        heed(summons)
        return step
    }

    func sleep(_ number: Int, until moment: Moment) { parkings[number].sleep(until: moment) }
}

// For its guests.
extension Workers {
    func guestCame() -> Int? { rota.withLock { $0.guestCame() } }

    func next(forGuest number: Int) -> Job? {
        let (job, summons) = rota.withLock { $0.next(forGuest: number) }
        heed(summons)
        return job
    }

    func guestStays(_ number: Int) { heed(rota.withLock { $0.guestStays(number) }) }
}

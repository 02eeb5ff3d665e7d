internal import Glibc
internal import Locking

/// A thread of a ``ThreadPool``, or a borrowed one while it acts as such. Used by that thread only.
final class Worker {
    let number: Int
    let pool: ThreadPool
    /// Whether its job is inside ``ThreadPool/blocking(_:)``.
    var isInBlockingCall = false

    init(number: Int, of pool: ThreadPool) { (self.number, self.pool) = (number, pool) }

    /// The worker of the calling thread.
    static var current: Worker? {
        pthread_getspecific(key).map { Unmanaged<Worker>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Starts a worker on a new thread; false if the system cannot create one.
    static func start(_ number: Int, of pool: ThreadPool) -> Bool {
        SignalBlockingThread.start(named: pool.name) {
            let worker = Worker(number: number, of: pool)
            worker.asCurrentWorker(worker.work)
        } == 0
    }

    /// Runs `body` with this as the calling thread's ``current`` worker.
    func asCurrentWorker(_ body: () -> Void) {
        withExtendedLifetime(self) {
            let before = pthread_getspecific(Self.key)
            pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
            defer { pthread_setspecific(Self.key, before) }
            body()
        }
    }

    /// Runs jobs until told to end. A child process that was forked inside a job returns to this loop, and ends it.
    private func work() {
        while !ForkHandling.isForkedChild {
            switch pool.next(for: number) {
            case .run(let job): job()
            case .sleep(let moment, let onTimer): pool.sleep(number, until: moment, onTimer: onTimer)
            case .end: return
            }
        }
    }
}

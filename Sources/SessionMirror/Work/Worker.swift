internal import Glibc
internal import Locking

/// A thread that works for ``Workers``, or a guest that does. Belongs to its thread.
final class Worker {
    let number: Int
    let workers: Workers
    /// Whether its job is calling what may never return.
    var isCallingOut = false

    init(number: Int, of workers: Workers) { (self.number, self.workers) = (number, workers) }

    /// The worker that the calling thread is.
    static var current: Worker? {
        pthread_getspecific(key).map { Unmanaged<Worker>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Begins one on a thread of its own; false where the system has none to give.
    static func start(_ number: Int, of workers: Workers) -> Bool {
        QuietThread.begin(named: workers.name) {
            let worker = Worker(number: number, of: workers)
            worker.embodied(worker.work)
        } == 0
    }

    /// Runs `body` on a thread that is this one meanwhile.
    func embodied(_ body: () -> Void) {
        withExtendedLifetime(self) {
            pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
            defer { pthread_setspecific(Self.key, nil) }
            body()
        }
    }

    /// What it does until it is told to end. A child that was forked in a job comes back here, and has nothing to do.
    private func work() {
        while !Forking.madeThisProcess {
            switch workers.next(for: number) {
            case .run(let job): job()
            case .sleep(let moment): workers.sleep(number, until: moment)
            case .end: return
            }
        }
    }
}

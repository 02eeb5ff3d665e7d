internal import Glibc
internal import Locking

/// A thread of ``Workers``, which does what it is told until it is told to end. Belongs to its thread.
final class Worker {
    let number: Int
    let workers: Workers
    /// Whether its job is calling what may never return.
    var isCallingOut = false

    private init(number: Int, of workers: Workers) { (self.number, self.workers) = (number, workers) }

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
        QuietThread.begin(named: workers.name) { Worker(number: number, of: workers).work() } == 0
    }

    /// Makes the calling thread one for as long as there is something to do.
    static func visit(_ number: Int, of workers: Workers, with job: @escaping Job) {
        let guest = Worker(number: number, of: workers)
        pthread_setspecific(key, Unmanaged.passUnretained(guest).toOpaque())
        defer { pthread_setspecific(key, nil) }
        var next: Job? = job
        while let job = next {
            job()
            next = workers.next(forGuest: number)
        }
    }

    private func work() {
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        while true {
            switch workers.next(for: number) {
            case .run(let job): job()
            case .sleep(let moment): workers.sleep(number, until: moment)
            case .end: return
            }
        }
    }
}

internal import CLinux
internal import Glibc

/// A thread of ``Workers``, which does what it is told until it is told to end. Belongs to its thread.
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

    /// Starts its thread; false where the system has none to give.
    func start() -> Bool {
        let context = Unmanaged.passRetained(self)
        // The signals of the process are for other threads: blocked from the first instruction.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { context in
                // It was retained for this thread.
                context.map { Unmanaged<Worker>.fromOpaque($0).takeRetainedValue().work() }
                return nil
            }, context.toOpaque())
        if failure != 0 { context.release() } else { pthread_detach(thread) }
        return failure == 0
    }

    private func work() {
        clinux_name_this_thread(workers.name)
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

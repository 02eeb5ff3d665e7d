import Glibc

/// Runs `body` on `count` threads at once, each with its number, and returns when all have finished.
///
/// The threads start together at a barrier. Tasks and dispatch queues on two processors often run one after another,
/// and then a test of races shows nothing.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let start = Barrier(count)
    let threads = (0..<count).map { number in
        TestThread {
            start.wait()
            body(number)
        }
    }
    for thread in threads { thread.join() }
}

/// A running thread of a test, to be joined before the test ends.
package struct TestThread {
    private let thread: pthread_t

    package init(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(Body(run: body))
        let failure = pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        precondition(failure == 0, "no thread: \(String(cString: strerror(failure)))")
        self.thread = thread
    }

    package func join() { pthread_join(thread, nil) }
}

private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
}

/// A `pthread_barrier_t`.
///
/// Unchecked `Sendable`: the barrier synchronizes its own state.
private final class Barrier: @unchecked Sendable {
    private let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)

    init(_ count: Int) { pthread_barrier_init(barrier, nil, UInt32(count)) }

    deinit {
        pthread_barrier_destroy(barrier)
        barrier.deallocate()
    }

    func wait() { pthread_barrier_wait(barrier) }
}

/// The processor time that the calling thread has used, in nanoseconds.
package func threadCPUTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

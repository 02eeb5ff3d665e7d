import Glibc

/// Runs `body` on so many threads of the system at once, each with its number, and returns when all are done.
///
/// They wait for each other before they begin. Tasks and queues would do on many processors; on two they often run one
/// after another, and then no test of races means anything.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let start = StartingLine(count)
    let threads = (0..<count).map { number in
        Started {
            start.wait()
            body(number)
        }
    }
    for thread in threads { thread.join() }
}

/// A barrier.
///
/// Sendable, because the system sees to it that the threads take turns.
private final class StartingLine: @unchecked Sendable {
    private let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)

    init(_ count: Int) { pthread_barrier_init(barrier, nil, UInt32(count)) }

    deinit {
        pthread_barrier_destroy(barrier)
        barrier.deallocate()
    }

    func wait() { pthread_barrier_wait(barrier) }
}

/// A thread that has begun.
private struct Started {
    private let thread: pthread_t

    init(_ body: @escaping @Sendable () -> Void) {
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

    func join() { pthread_join(thread, nil) }
}

private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
}

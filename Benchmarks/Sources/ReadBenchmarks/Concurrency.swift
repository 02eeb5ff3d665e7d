import Glibc
import SessionMirror
import Synchronization

/// The concurrent activity beside the measured reader.
enum Concurrency: String, CaseIterable {
    case alone
    /// Another thread reads the same value continuously.
    case twoThreads = "2 threads"
    /// Another thread publishes 1,000 versions per second.
    case withWriter = "1000 writes a second"

    /// Runs `body` beside a second thread, which repeats `read` or `write`.
    func run(_ read: @escaping @Sendable () -> Void, _ write: @escaping @Sendable () -> Void, _ body: () -> Void) {
        run(batch: { for _ in 0..<1000 { read() } }, write: write, body)
    }

    /// Runs `body` beside a second thread, which repeats `batch`, some milliseconds of reading at most, or `write`.
    func run(
        batch: @escaping @Sendable () -> Void, write: @escaping @Sendable () -> Void, _ body: () -> Void
    ) {
        switch self {
        case .alone: body()
        case .twoThreads:
            let other = BackgroundThread(batch)
            body()
            other.end()
        case .withWriter:
            let other = BackgroundThread {
                write()
                usleep(1000)
            }
            body()
            other.end()
        }
    }
}

/// A thread that repeats its work until ``end()``.
private final class BackgroundThread: Sendable {
    private let isOver = Atomic<Bool>(false)
    private let rounds = Atomic<Int>(0)
    private let thread = Mutex(pthread_t())
    private let work: @Sendable () -> Void

    /// Returns when the thread runs.
    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
        let failure = thread.withLock {
            pthread_create(
                &$0, nil,
                { context in
                    Unmanaged<BackgroundThread>.fromOpaque(context!).takeRetainedValue().run()
                    return nil
                }, Unmanaged.passRetained(self).toOpaque())
        }
        precondition(failure == 0, "cannot create a thread")
        while rounds.load(ordering: .relaxed) == 0 { usleep(10) }
    }

    private func run() {
        while !isOver.load(ordering: .relaxed) {
            work()
            rounds.add(1, ordering: .relaxed)
        }
    }

    func end() {
        isOver.store(true, ordering: .relaxed)
        thread.withLock { _ = pthread_join($0, nil) }
    }
}

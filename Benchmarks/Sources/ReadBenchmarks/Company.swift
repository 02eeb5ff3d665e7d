import Glibc
import SessionMirror
import Synchronization

/// What goes on beside a reader that is measured.
enum Company: String, CaseIterable {
    case alone
    /// Another thread reads the same, all the time.
    case twoThreads = "2 threads"
    /// Another thread publishes a thousand times a second.
    case withWriter = "1000 writes a second"

    /// Runs `body` in this company. `read` is what another reader does again and again, `write` what a writer does.
    func run(_ read: @escaping @Sendable () -> Void, _ write: @escaping @Sendable () -> Void, _ body: () -> Void) {
        switch self {
        case .alone: body()
        case .twoThreads:
            let other = Companion { for _ in 0..<1000 { read() } }
            body()
            other.end()
        case .withWriter:
            let other = Companion {
                write()
                usleep(1000)
            }
            body()
            other.end()
        }
    }
}

/// A thread that does the same until it is to end.
private final class Companion: Sendable {
    private let isOver = Atomic<Bool>(false)
    private let rounds = Atomic<Int>(0)
    private let thread = Mutex(pthread_t())
    private let work: @Sendable () -> Void

    /// Returns when the thread is at work.
    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
        let failure = thread.withLock {
            pthread_create(
                &$0, nil,
                { context in
                    Unmanaged<Companion>.fromOpaque(context!).takeRetainedValue().run()
                    return nil
                }, Unmanaged.passRetained(self).toOpaque())
        }
        precondition(failure == 0, "no thread")
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

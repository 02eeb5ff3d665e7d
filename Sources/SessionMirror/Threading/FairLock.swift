internal import Glibc
internal import Locking
internal import Synchronization

/// The lock that serializes updates, commits and reloads of one session's value.
///
/// Unlike a ``Lock`` it may be held while user code runs. Waiting threads sleep. A thread that finds the lock free
/// acquires it, even before a waiter that is just waking up; but a waiter that woke in vain is the next owner.
final class FairLock: Sendable {
    /// Protected by `state`.
    fileprivate final class Waiter: @unchecked Sendable {
        let semaphore = CountingSemaphore()
        var isWoken = false
        /// Whether it woke in vain, and so is the next owner.
        var isPrioritized = false
        var isOwner = false
    }

    fileprivate struct State {
        var isLocked = false
        var waiting: [Waiter] = []
    }

    private let state = Lock(State())
    /// The owner, to distinguish a nested update from two concurrent ones.
    private let thread = Atomic<UInt>(0)

    var isHeldByCurrentThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Runs `body` while holding the lock.
    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    /// Acquires the lock. Traps if this thread holds it already.
    func lock() { _ = lock(until: .distantFuture) }

    /// Acquires the lock; false if it was not available until `moment`. Traps if this thread holds it already.
    func lock(until moment: Instant) -> Bool {
        precondition(!isHeldByCurrentThread, "a session must not be changed inside a change of the same session")
        if let waiter = state.withLock({ $0.enqueueUnlessAcquired() }) {
            repeat {
                if waiter.semaphore.wait(until: moment) { continue }
                let (isOwner, next) = state.withLock { $0.abandon(waiter) }
                next?.signal()
                if !isOwner { return false }
            } while !state.withLock { $0.acquireAfterWake(waiter) }
        }
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        return true
    }

    /// Acquires the lock if no thread holds it or is to get it next.
    func lockIfAvailable() -> Bool {
        guard !isHeldByCurrentThread, state.withLock({ $0.acquireIfAvailable() }) else { return false }
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        return true
    }

    func unlock() {
        thread.store(0, ordering: .relaxed)
        state.withLock { $0.release() }?.signal()
    }
}

extension FairLock.State {
    fileprivate mutating func acquireIfAvailable() -> Bool {
        if isLocked || waiting.first?.isPrioritized == true { return false }
        isLocked = true
        return true
    }

    fileprivate mutating func enqueueUnlessAcquired() -> FairLock.Waiter? {
        if acquireIfAvailable() { return nil }
        let waiter = FairLock.Waiter()
        waiting.append(waiter)
        return waiter
    }

    fileprivate mutating func acquireAfterWake(_ waiter: FairLock.Waiter) -> Bool {
        if waiter.isOwner { return true }
        waiter.isWoken = false
        if isLocked {
            waiter.isPrioritized = true
            return false
        }
        isLocked = true
        waiting.removeAll { $0 === waiter }
        return true
    }

    /// Stops waiting: whether the waiter became the owner at the last moment, and otherwise whom to wake in its place.
    fileprivate mutating func abandon(_ waiter: FairLock.Waiter) -> (isOwner: Bool, next: CountingSemaphore?) {
        if waiter.isOwner { return (true, nil) }
        waiting.removeAll { $0 === waiter }
        return (false, isLocked || !waiter.isWoken ? nil : wakeFirst())
    }

    fileprivate mutating func release() -> CountingSemaphore? {
        guard let first = waiting.first else {
            isLocked = false
            return nil
        }
        if first.isPrioritized {
            waiting.removeFirst()
            first.isOwner = true
            return first.semaphore
        }
        isLocked = false
        return wakeFirst()
    }

    private mutating func wakeFirst() -> CountingSemaphore? {
        guard let first = waiting.first, !first.isWoken else { return nil }
        first.isWoken = true
        return first.semaphore
    }
}

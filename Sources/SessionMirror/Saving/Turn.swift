internal import Glibc
internal import Locking
internal import Synchronization

/// Whose turn it is to change a session's value: one update, commit or reload at a time.
///
/// Unlike a ``Lock`` it may be kept while code of the caller runs, and while a commit waits for the disk. Who comes
/// meanwhile sleeps. Who comes when it is free takes it, also before somebody who is just waking up; but only once.
final class Turn: Sendable {
    /// Belongs to the lock.
    fileprivate final class Waiter: @unchecked Sendable {
        let parking = Parking()
        var isWoken = false
        /// Has woken in vain: is the next.
        var isNext = false
        var isGiven = false
    }

    fileprivate struct State {
        var isTaken = false
        var waiting: [Waiter] = []
    }

    private let state = Lock(State())
    /// The thread whose turn it is, to tell an update inside an update from two at the same time.
    private let thread = Atomic<UInt>(0)

    /// Whether it is the calling thread's.
    var isMine: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Runs `body` when it is this thread's turn.
    func take<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        begin()
        defer { end() }
        return try body()
    }

    /// Inside a turn of this thread it is a mistake of the program.
    func begin() {
        precondition(!isMine, "a session is changed inside a change of it")
        if let waiter = state.withLock({ $0.takeOrWait() }) {
            repeat { waiter.parking.sleep() } while !state.withLock { $0.takeWoken(waiter) }
        }
        thread.store(UInt(pthread_self()), ordering: .relaxed)
    }

    /// Begins one if that can be at once; false otherwise.
    func beginIfFree() -> Bool {
        guard !isMine, state.withLock({ $0.takeIfFree() }) else { return false }
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        return true
    }

    func end() {
        thread.store(0, ordering: .relaxed)
        state.withLock { $0.giveBack() }?.wake()
    }
}

extension Turn.State {
    fileprivate mutating func takeIfFree() -> Bool {
        if isTaken || waiting.first?.isNext == true { return false }
        isTaken = true
        return true
    }

    fileprivate mutating func takeOrWait() -> Turn.Waiter? {
        if takeIfFree() { return nil }
        let waiter = Turn.Waiter()
        waiting.append(waiter)
        return waiter
    }

    fileprivate mutating func takeWoken(_ waiter: Turn.Waiter) -> Bool {
        if waiter.isGiven { return true }
        waiter.isWoken = false
        if isTaken {
            waiter.isNext = true
            return false
        }
        isTaken = true
        waiting.removeAll { $0 === waiter }
        return true
    }

    fileprivate mutating func giveBack() -> Parking? {
        guard let first = waiting.first else {
            isTaken = false
            return nil
        }
        if first.isNext {
            waiting.removeFirst()
            first.isGiven = true
            return first.parking
        }
        isTaken = false
        if first.isWoken { return nil }
        first.isWoken = true
        return first.parking
    }
}

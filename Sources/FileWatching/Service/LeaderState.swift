/// The state of the leader/followers pattern with at most two threads: which of them runs the watch loop.
///
/// This is a pure value; ``LeaderFollower`` keeps it behind a lock.
///
/// A loop belongs to the thread that runs it, the leader. While the leader runs deferred work its loop is unattended,
/// and the first thread to ask for it gets it: the leader when it returns, or the waiting follower when the watchdog
/// has fired. Work is only deferred while a follower waits, and the follower does not exit before that work is finished
/// or taken over. So an unattended loop is always that of the absent leader, and there is never more than one.
struct LeaderState<Loop> {
    /// What a waiting follower does next.
    enum FollowerStep {
        case keepWaiting
        /// Become the leader of this loop.
        case lead(Loop)
        case exit
    }

    private(set) var threads = 1
    private var hasFollower = false
    /// Whether the follower must not exit because work was deferred.
    private var isFollowerReserved = false
    /// Whether the follower was reserved since it began to wait or since its last timeout.
    private var wasFollowerUsed = false
    private var unattendedLoop: Loop?

    /// Reserves the follower for deferred work. Returns false if no follower waits.
    mutating func reserveFollower() -> Bool {
        if hasFollower { (isFollowerReserved, wasFollowerUsed) = (true, true) }
        return hasFollower
    }

    /// Records that the leader leaves the loop to run deferred work.
    mutating func leaderLeft(_ loop: Loop) { unattendedLoop = loop }

    /// Records that deferred work is finished. Returns whether the thread is still the leader.
    mutating func leaderReturned() -> Bool {
        guard unattendedLoop.take() != nil else { return false }
        isFollowerReserved = false
        return true
    }

    /// Records that a follower begins to wait.
    mutating func followerStarted() { (hasFollower, wasFollowerUsed) = (true, false) }

    /// Handles the watchdog, which may fire late or for other work than it was armed for.
    mutating func watchdogFired() -> FollowerStep {
        guard let loop = unattendedLoop.take() else { return .keepWaiting }
        (hasFollower, isFollowerReserved) = (false, false)
        return .lead(loop)
    }

    /// Handles a follower that has waited for the longest time. A loop that is unattended now has a watchdog that did
    /// not fire.
    mutating func followerTimedOut() -> FollowerStep {
        if case .lead(let loop) = watchdogFired() { return .lead(loop) }
        if isFollowerReserved || wasFollowerUsed {
            wasFollowerUsed = false
            return .keepWaiting
        }
        return exitFollower()
    }

    /// Handles a broken watchdog: the follower polls the state instead.
    mutating func followerPolled() -> FollowerStep {
        if case .lead(let loop) = watchdogFired() { return .lead(loop) }
        return isFollowerReserved ? .keepWaiting : exitFollower()
    }

    private mutating func exitFollower() -> FollowerStep {
        (hasFollower, isFollowerReserved) = (false, false)
        threads -= 1
        return .exit
    }

    /// Counts a new follower in. Returns false if there are two threads already.
    mutating func addThread() -> Bool {
        guard threads < 2 else { return false }
        threads += 1
        return true
    }

    /// Records that the new thread could not be created.
    mutating func threadCreationFailed() { threads -= 1 }
}

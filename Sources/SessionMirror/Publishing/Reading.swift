internal import CReadCopyUpdate

/// What the calling thread reads.
enum Reading {
    /// Whether the thread is inside `read` of any session. Then it must not wait for anything that may in turn wait for
    /// its end: closing a session asks this and traps.
    static var isGoingOn: Bool { rcu_is_reading() != 0 }
}

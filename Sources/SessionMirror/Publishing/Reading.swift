internal import CReadCopyUpdate

/// What the calling thread reads.
enum Reading {
    /// Whether the thread is inside `read` of any session. Then it must not wait for anything that may in turn wait for
    /// its end: `commit`, `flush` and `close` ask this and trap.
    static var isGoingOn: Bool { rcu_is_reading() != 0 }
}

internal import CReadCopyUpdate
internal import Glibc
internal import Synchronization

/// What `fork` leaves of us in the child: memory without threads.
///
/// The child may read what was published. It has no workers and cannot get any, since the locks of the parent's threads
/// may have been copied while they were held.
enum Forking {
    private static let isInChild = Atomic<Bool>(false)

    /// Whether this process is the child of one that had sessions.
    static var madeThisProcess: Bool { isInChild.load(ordering: .relaxed) }

    /// To be called before anything that a fork could tear.
    static func prepare() { _ = handlers }

    // A thread that forks inside `read` cannot wait for the end of all readers.
    private static let handlers: Void = {
        pthread_atfork(
            { if !Reading.isGoingOn { rcu_before_fork() } },
            { if !Reading.isGoingOn { rcu_after_fork_in_parent() } },
            {
                if !Reading.isGoingOn { rcu_after_fork_in_child() }
                isInChild.store(true, ordering: .relaxed)
            })
    }()
}

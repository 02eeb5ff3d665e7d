internal import CLinux
internal import CReadCopyUpdate
internal import Glibc

/// Restricts sessions in the child of `fork`, which has the parent's memory but none of its threads.
///
/// The child may read what was published. It has no workers and cannot start any, because the parent's locks may have
/// been copied while they were held.
enum ForkHandling {
    /// Whether this process was forked from one that had sessions.
    static var isForkedChild: Bool { clinux_is_forked_child() }

    /// Installs the fork handlers; to be called before anything that a fork could leave inconsistent.
    static func install() { _ = handlers }

    // A thread that forks inside `read` cannot wait for the end of all read sections.
    private static let handlers: Void = {
        pthread_atfork(
            { if !ReadSection.isActive { rcu_before_fork() } },
            { if !ReadSection.isActive { rcu_after_fork_in_parent() } },
            {
                if !ReadSection.isActive { rcu_after_fork_in_child() }
                clinux_mark_forked_child()
            })
    }()
}

internal import CLinux
internal import Glibc

/// The kernel reports a lease break with a signal. SIGURG is used: a process without a handler ignores it. A real-time
/// signal can fail for lack of queue space, and then the kernel sends SIGIO, which kills the process.
extension Kernel: LeaseCalls {
    package func setLease(of descriptor: Int32, to kind: LeaseKind) throws(ErrorNumber) {
        _ = try errnoResult(clinux_lease_set(descriptor, kind.number)).get()
    }

    package func lease(of descriptor: Int32) throws(ErrorNumber) -> LeaseKind {
        LeaseKind(number: try errnoResult(clinux_lease(descriptor)).get())
    }

    package func blockLeaseSignal() -> SignalMask {
        var (signals, before) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, SIGURG)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        return SignalMask(set: before)
    }

    package func unblockLeaseSignal(_ mask: SignalMask, of descriptor: Int32) {
        var before = mask.set
        _ = clinux_signal_take(descriptor, SIGURG, sigismember(&before, SIGURG))
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    package func setLeaseSignal(of descriptor: Int32) throws(ErrorNumber) {
        _ = try errnoResult(clinux_signal_choose(descriptor, SIGURG)).get()
    }

    package func setSignalReceiver(of descriptor: Int32, to receiver: SignalReceiver) throws(ErrorNumber) {
        switch receiver {
        case .thisThread: _ = try errnoResult(clinux_signals_to_this_thread(descriptor)).get()
        case .nobody: _ = try errnoResult(clinux_signals_to_nobody(descriptor)).get()
        }
    }

    package func closeInForkedChildren(_ descriptor: Int32) { clinux_children_close(descriptor) }

    package func stopClosingInForkedChildren(_ descriptor: Int32) { clinux_children_forget(descriptor) }
}

extension LeaseKind {
    fileprivate var number: Int32 {
        switch self {
        case .none: F_UNLCK
        case .read: F_RDLCK
        case .write: F_WRLCK
        }
    }

    fileprivate init(number: Int32) {
        self = number == F_RDLCK ? .read : number == F_WRLCK ? .write : .none
    }
}

/// The kind of a lease, as in fcntl(2).
package enum LeaseKind: Sendable, Hashable {
    /// No lease.
    case none
    /// Blocks processes that open the file for writing (F_RDLCK).
    case read
    /// Blocks all processes that open the file (F_WRLCK).
    case write
}

/// The receiver of the signal that reports a lease break.
package enum SignalReceiver: Sendable, Hashable { case thisThread, nobody }

/// The signal mask of a thread before it was changed.
package struct SignalMask: @unchecked Sendable {
    // Sendable because sigset_t is a plain bit set.
    let set: sigset_t
}

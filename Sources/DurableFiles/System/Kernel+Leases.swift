internal import CLinux
internal import Glibc

/// Leases break with a signal. SIGURG it is: who has no handler for it never hears of it, and unlike a real-time signal
/// it cannot be refused for want of room, in which case the kernel sends SIGIO, which kills.
extension Kernel: LeaseCalls {
    package func setLease(of descriptor: Int32, to kind: LeaseKind) throws(ErrorNumber) {
        _ = try outcome(clinux_lease_set(descriptor, kind.number)).get()
    }

    package func lease(of descriptor: Int32) throws(ErrorNumber) -> LeaseKind {
        LeaseKind(number: try outcome(clinux_lease(descriptor)).get())
    }

    package func holdSignal() -> SignalMask {
        var (signals, before) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, SIGURG)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        return SignalMask(set: before)
    }

    package func releaseSignal(_ mask: SignalMask, of descriptor: Int32) {
        var before = mask.set
        _ = clinux_signal_take(descriptor, SIGURG, sigismember(&before, SIGURG))
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    package func chooseSignal(of descriptor: Int32) throws(ErrorNumber) {
        _ = try outcome(clinux_signal_choose(descriptor, SIGURG)).get()
    }

    package func sendSignals(of descriptor: Int32, to receiver: SignalReceiver) throws(ErrorNumber) {
        switch receiver {
        case .thisThread: _ = try outcome(clinux_signals_to_this_thread(descriptor)).get()
        case .nobody: _ = try outcome(clinux_signals_to_nobody(descriptor)).get()
        }
    }

    package func keepFromChildren(_ descriptor: Int32) { clinux_children_close(descriptor) }

    package func keepFromChildrenNoMore(_ descriptor: Int32) { clinux_children_forget(descriptor) }
}

extension LeaseKind {
    fileprivate var number: Int32 {
        switch self {
        case .none: F_UNLCK
        case .writers: F_RDLCK
        case .everybody: F_WRLCK
        }
    }

    fileprivate init(number: Int32) {
        self = number == F_RDLCK ? .writers : number == F_WRLCK ? .everybody : .none
    }
}

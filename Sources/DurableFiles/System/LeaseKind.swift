internal import Glibc

/// Whom the kernel holds back when they open a file.
package enum LeaseKind: Sendable, Hashable {
    /// Nobody.
    case none
    /// Who wants to write.
    case writers
    /// Everybody.
    case everybody
}

/// Who is told that somebody waits for a lease.
package enum SignalReceiver: Sendable, Hashable { case thisThread, nobody }

/// Which signals a thread did not let come.
package struct SignalMask: @unchecked Sendable {
    // A plain set of bits.
    let set: sigset_t
}

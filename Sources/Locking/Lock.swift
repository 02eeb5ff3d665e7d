internal import CLinux
internal import Synchronization

/// A value that one thread at a time may touch: the only lock of this package.
///
/// ```swift
/// let state = Lock(State())
/// let effects = state.withLock { $0.looked(at: now) }
/// perform(effects)                                     // outside
/// ```
///
/// No callback of a user and no system call that can wait belongs inside. Taking a lock that is free costs about 15 ns.
/// It is not recursive: taking it again inside is a trap or hangs.
///
/// It exists because the thread sanitizer does not understand `Mutex`, whose code is not instrumented: here the order
/// that the mutex makes is told to the sanitizer. A class, so that it has an address to tell.
package final class Lock<Value: ~Copyable>: Sendable {
    private let mutex: Mutex<Value>

    package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Runs `body` with the value, alone.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { (value: inout sending Value) throws(Failure) -> sending Result in
            clinux_sanitizer_acquire(address)
            defer { clinux_sanitizer_release(address) }
            return try body(&value)
        }
    }

    /// Runs `body` with the value, unless another thread has it: then nil.
    package func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        try mutex.withLockIfAvailable { (value: inout sending Value) throws(Failure) -> sending Result in
            clinux_sanitizer_acquire(address)
            defer { clinux_sanitizer_release(address) }
            return try body(&value)
        }
    }

    private var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }
}

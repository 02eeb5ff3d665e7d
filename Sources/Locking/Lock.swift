public import CLinux
public import Synchronization

/// A mutex with the value that it protects.
///
/// ```swift
/// let state = Lock(State())
/// let effects = state.withLock { $0.record(sample) }
/// perform(effects)                                     // outside the lock
/// ```
///
/// Do not call user callbacks or blocking system calls while holding the lock. Acquiring a free lock costs some
/// nanoseconds. The lock is not recursive: acquiring it again on the same thread traps or deadlocks.
///
/// This type wraps `Mutex` because the thread sanitizer does not see the synchronization in its uninstrumented code.
/// The wrapper reports it to the sanitizer. It is a class because it needs an address for that.
@usableFromInline package final class Lock<Value: ~Copyable>: Sendable {
    @usableFromInline let mutex: Mutex<Value>

    @inlinable package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Runs `body` with exclusive access to the value.
    @inlinable package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { (value: inout sending Value) throws(Failure) -> sending Result in
            clinux_sanitizer_acquire(address)
            defer { clinux_sanitizer_release(address) }
            return try body(&value)
        }
    }

    /// Runs `body` with exclusive access to the value. Returns nil without waiting if the lock is held.
    @inlinable package func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        try mutex.withLockIfAvailable { (value: inout sending Value) throws(Failure) -> sending Result in
            clinux_sanitizer_acquire(address)
            defer { clinux_sanitizer_release(address) }
            return try body(&value)
        }
    }

    @inlinable var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }
}

public import Glibc
public import Synchronization

/// An immutable value on the heap, which writers replace as a whole: what programs share between threads without a
/// session.
public final class SharedValue<Value: Sendable>: Sendable {
    public let value: Value

    @inlinable public init(_ value: Value) { self.value = value }
}

/// An object behind a mutex.
public final class MutexProtected<Value: Sendable>: Sendable {
    @usableFromInline let object: Mutex<SharedValue<Value>>

    public init(_ value: Value) { object = Mutex(SharedValue(value)) }

    @inlinable @inline(__always)
    public func read<Result: Sendable>(_ body: (SharedValue<Value>) -> Result) -> Result {
        object.withLock { body($0) }
    }

    public func publish(_ value: Value) {
        var next = SharedValue(value)
        // The old object is released outside of the lock.
        object.withLock { swap(&$0, &next) }
    }
}

/// An object behind a reader-writer lock.
public final class ReaderWriterLockProtected<Value: Sendable>: @unchecked Sendable {
    // Used only under the lock, which does not move.
    @usableFromInline let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
    @usableFromInline var object: SharedValue<Value>

    public init(_ value: Value) {
        object = SharedValue(value)
        precondition(pthread_rwlock_init(lock, nil) == 0, "cannot create a reader-writer lock")
    }

    deinit {
        pthread_rwlock_destroy(lock)
        lock.deallocate()
    }

    @inlinable @inline(__always)
    public func read<Result>(_ body: (SharedValue<Value>) -> Result) -> Result {
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return body(object)
    }

    public func publish(_ value: Value) {
        var next = SharedValue(value)
        pthread_rwlock_wrlock(lock)
        swap(&object, &next)
        pthread_rwlock_unlock(lock)
    }
}

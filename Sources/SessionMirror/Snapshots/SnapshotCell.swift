public import CLinux
public import CReadCopyUpdate
public import Synchronization

/// A cell with an immutable object, read and replaced by any thread at any time.
///
/// ```swift
/// let cell = SnapshotCell(storage)
/// let port = cell.read { $0.root.port }     // about two nanoseconds
/// cell.publish(changed)                     // visible at once
/// ```
///
/// A reader takes no lock, counts no reference and allocates nothing: it enters a read section of liburcu, loads the
/// pointer, and leaves the section. The ``Reclaimer`` releases a replaced object after the last reader that may have seen
/// it. A long reader holds up memory, and never delays a writer by more than a moment. Code that waits for the reclaimer
/// must not run inside `read`, see ``ReadSection``.
@usableFromInline
final class SnapshotCell<Object: AnyObject & Sendable>: @unchecked Sendable {
    /// An object that any thread may use, retained once by this cell.
    @usableFromInline let pointer: Atomic<UnsafeRawPointer>

    init(_ first: Object) {
        ForkHandling.install()
        pointer = Atomic(UnsafeRawPointer(Unmanaged.passRetained(first).toOpaque()))
    }

    // Readers keep the cell alive, so there are none.
    deinit {
        let last = pointer.load(ordering: .acquiring)
        clinux_sanitizer_acquire(last)
        Unmanaged<Object>.fromOpaque(last).release()
    }

    /// Runs `body` with the current object, which stays alive until `body` returns. May be nested.
    @inlinable @inline(__always)
    func read<Value, Failure: Error>(_ body: (Object) throws(Failure) -> Value) throws(Failure) -> Value {
        rcu_begin_reading()
        let object = pointer.load(ordering: .acquiring)
        defer {
            clinux_sanitizer_release(object)
            rcu_end_reading()
        }
        return try withExtendedLifetime(self) { () throws(Failure) in
            try Unmanaged<Object>.fromOpaque(object).borrowed(by: body)
        }
    }

    /// The current object, retained.
    @inlinable var current: Object {
        rcu_begin_reading()
        let object = pointer.load(ordering: .acquiring)
        defer {
            clinux_sanitizer_release(object)
            rcu_end_reading()
        }
        return withExtendedLifetime(self) { Unmanaged<Object>.fromOpaque(object).takeUnretainedValue() }
    }

    /// Replaces the object. Readers that begin after this see `next`.
    func publish(_ next: Object) { replace(with: next).retire() }

    /// Replaces the object. The caller retires the old one, exactly once, after more urgent work.
    func replace(with next: Object) -> ReplacedObject {
        let next = UnsafeRawPointer(Unmanaged.passRetained(next).toOpaque())
        return ReplacedObject(object: pointer.exchange(next, ordering: .acquiringAndReleasing))
    }
}

/// The cell of a session's snapshots, independent of the type of its value.
protocol AnySnapshotCell: Sendable {
    var latest: AnySnapshotStorage { get }

    /// - Precondition: `next` has the type of this session's snapshots.
    func replace(withAny next: AnySnapshotStorage) -> ReplacedObject
}

extension SnapshotCell: AnySnapshotCell where Object: AnySnapshotStorage {
    var latest: AnySnapshotStorage { current }

    func replace(withAny next: AnySnapshotStorage) -> ReplacedObject {
        replace(with: unsafeDowncast(next, to: Object.self))
    }
}

/// An object that is no longer published, with one reference to it.
///
/// Only readers that began earlier, and the holder of this value, which hands it on unused, still refer to the object.
struct ReplacedObject: @unchecked Sendable {
    fileprivate let object: UnsafeRawPointer

    func retire() { Reclaimer.shared.retire(object) }
}

extension Unmanaged {
    /// Runs `body` with the object, which the caller keeps alive, without counting a reference.
    @inlinable @inline(__always)
    func borrowed<Value, Failure: Error>(by body: (Instance) throws(Failure) -> Value) throws(Failure) -> Value {
        // The standard library's function has no typed throws.
        try _withUnsafeGuaranteedRef { object -> Result<Value, Failure> in
            do throws(Failure) { return .success(try body(object)) } catch { return .failure(error) }
        }.get()
    }
}

/// The RCU read section of the calling thread.
enum ReadSection {
    /// Whether the thread is inside `read` of any session. Then it must not wait for anything that may wait for the end of
    /// this section: closing a session checks this and traps.
    static var isActive: Bool { rcu_is_reading() != 0 }
}

public import CLinux
public import CReadCopyUpdate
public import Synchronization

/// One place that holds an immutable object, read by any thread at any time, replaced by anyone.
///
/// ```swift
/// let published = Published(Edition(root, version: 1))
/// let port = published.read { $0.root.port }           // about two nanoseconds
/// published.publish(Edition(changed, version: 2))      // visible at once
/// ```
///
/// A reader takes no lock, counts no reference and allocates nothing: it announces itself to liburcu, follows the
/// pointer, and says when it is done. What is replaced is released by the ``Reclaimer`` after the last reader who may
/// have seen it. So a reader that stays long holds up memory, never a writer for long; and whatever waits for the
/// reclaimer must not be called inside `read`, see ``Reading``.
@usableFromInline
final class Published<Object: AnyObject & Sendable>: @unchecked Sendable {
    // Of an object that any thread may use.
    /// Retained once for being here.
    @usableFromInline let pointer: Atomic<UnsafeRawPointer>

    init(_ first: Object) {
        Forking.prepare()
        pointer = Atomic(UnsafeRawPointer(Unmanaged.passRetained(first).toOpaque()))
    }

    // Whoever reads keeps this alive, so nobody reads any more.
    deinit {
        let last = pointer.load(ordering: .acquiring)
        clinux_sanitizer_acquire(last)
        Unmanaged<Object>.fromOpaque(last).release()
    }

    /// Runs `body` with the newest object, which stays alive until it returns. Nests.
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

    /// The newest object, to be kept.
    @inlinable var current: Object {
        rcu_begin_reading()
        let object = pointer.load(ordering: .acquiring)
        defer {
            clinux_sanitizer_release(object)
            rcu_end_reading()
        }
        return withExtendedLifetime(self) { Unmanaged<Object>.fromOpaque(object).takeUnretainedValue() }
    }

    /// Replaces the object. Who begins to read from now on sees `next`.
    func publish(_ next: Object) { replace(with: next).retire() }

    /// Replaces the object, and leaves it to the caller when the one before is retired: once, but after what is urgent.
    func replace(with next: Object) -> Replaced {
        let next = UnsafeRawPointer(Unmanaged.passRetained(next).toOpaque())
        return Replaced(object: pointer.exchange(next, ordering: .acquiringAndReleasing))
    }
}

/// Where the editions of one session are published, whatever the type of its value.
protocol Newsstand: Sendable {
    var newest: AnyEdition { get }

    /// Of the type that the session's editions have.
    func put(_ next: AnyEdition) -> Replaced
}

extension Published: Newsstand where Object: AnyEdition {
    var newest: AnyEdition { current }

    func put(_ next: AnyEdition) -> Replaced { replace(with: unsafeDowncast(next, to: Object.self)) }
}

/// An object that is not published any more, with one reference to it.
///
/// Known to nobody any more but readers who began before, and to whoever holds this, who only hands it on.
struct Replaced: @unchecked Sendable {
    fileprivate let object: UnsafeRawPointer

    func retire() { Reclaimer.shared.retire(object) }
}

extension Unmanaged {
    /// Runs `body` with the object, which somebody else keeps alive, without counting a reference.
    @inlinable @inline(__always)
    func borrowed<Value, Failure: Error>(by body: (Instance) throws(Failure) -> Value) throws(Failure) -> Value {
        // The standard library's function cannot say which errors it passes on.
        try _withUnsafeGuaranteedRef { object -> Result<Value, Failure> in
            do throws(Failure) { return .success(try body(object)) } catch { return .failure(error) }
        }.get()
    }
}

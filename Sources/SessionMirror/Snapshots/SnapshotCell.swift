public import CLinux
public import CReadCopyUpdate
public import Synchronization

/// The pointer of a ``SnapshotCell``, independent of the type of the object.
@usableFromInline
package class SnapshotPointer: @unchecked Sendable {
    /// An object that any thread may use, retained once by this cell. The lowest bit is set if it is outdated.
    @usableFromInline package final let pointer: Atomic<UnsafeRawPointer>

    fileprivate init(_ first: AnyObject) {
        ForkHandling.install()
        pointer = Atomic(UnsafeRawPointer(Unmanaged.passRetained(first).toOpaque()))
    }

    /// Replaces the object by one of the same type. Readers that begin after this see `next`. Not generic, because the
    /// type is not needed, and looking it up at run time costs more than the exchange.
    final func exchange(_ next: AnyObject) -> ReplacedObject {
        let next = UnsafeRawPointer(Unmanaged.passRetained(next).toOpaque())
        return ReplacedObject(adopting: pointer.exchange(next, ordering: .acquiringAndReleasing).withoutMark)
    }

    // Readers keep the cell alive, so there are none.
    deinit {
        let last = pointer.load(ordering: .acquiring).withoutMark
        clinux_sanitizer_acquire(last)
        Unmanaged<AnyObject>.fromOpaque(last).release()
    }
}

/// A cell with an immutable object, read and replaced by any thread at any time.
///
/// ```swift
/// let cell = SnapshotCell(storage)
/// let port = cell.read { $0.root.port }     // a few nanoseconds
/// cell.publish(changed)                     // visible at once
/// ```
///
/// A reader takes no lock, counts no reference and allocates nothing: it enters a read section of liburcu, loads the
/// pointer, and leaves the section. The ``Reclaimer`` releases a replaced object after the last reader that may have
/// seen it. A long reader holds up memory, and never delays a writer by more than a moment. Code that waits for the
/// reclaimer must not run inside `read`, see ``ReadSection``.
///
/// An object can be marked as outdated, which costs readers one comparison. A subclass then creates the current one at
/// the next read.
@usableFromInline
class SnapshotCell<Object: AnyObject & Sendable>: SnapshotPointer, @unchecked Sendable {
    init(_ first: Object) { super.init(first) }

    /// Runs `body` with the current object, which stays alive until `body` returns. May be nested.
    @inlinable @inline(__always)
    final func read<Value, Failure: Error>(_ body: (Object) throws(Failure) -> Value) throws(Failure) -> Value {
        let object = beginReading()
        defer {
            clinux_sanitizer_release(object)
            rcu_end_reading()
        }
        return try withExtendedLifetime(self) { () throws(Failure) in
            try Unmanaged<Object>.fromOpaque(object).borrowed(by: body)
        }
    }

    /// The current object, retained.
    @inlinable final var current: Object {
        let object = beginReading()
        defer {
            clinux_sanitizer_release(object)
            rcu_end_reading()
            extendLifetime(self)
        }
        return Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
    }

    /// Begins a read section and returns the object, which stays alive until the section ends.
    @inlinable @inline(__always)
    final func beginReading() -> UnsafeRawPointer {
        rcu_begin_reading()
        let object = pointer.load(ordering: .acquiring)
        return _fastPath(!object.isMarked) ? object : beginReadingOutdated()
    }

    @usableFromInline @inline(never)
    final func beginReadingOutdated() -> UnsafeRawPointer {
        rcu_end_reading()
        let renewed = renewed()
        rcu_begin_reading()
        let object = pointer.load(ordering: .acquiring)
        if !object.isMarked { return object }
        // A newer version was published meanwhile. The reader began before that, and the object lives until it ends.
        guard let renewed else { return object.withoutMark }
        let own = ReplacedObject(renewed)
        own.retire(isWriter: false)
        return own.object
    }

    /// Creates the current object from what made the published one outdated, and publishes it, unless it is outdated,
    /// too, by then. Called outside read sections of this cell; nil if nothing can be created.
    func renewed() -> Object? { preconditionFailure("only a cell that marks objects renews them") }

    /// Marks the object as outdated. One thread at a time.
    final func markOutdated() {
        pointer.store(pointer.load(ordering: .relaxed).withMark, ordering: .releasing)
    }

    final var isOutdated: Bool { pointer.load(ordering: .acquiring).isMarked }

    /// Replaces the object. Readers that begin after this see `next`.
    final func publish(_ next: Object) { replace(with: next).retire() }

    /// Replaces the object. The caller retires the old one, exactly once, after more urgent work.
    final func replace(with next: Object) -> ReplacedObject { exchange(next) }
}

extension UnsafeRawPointer {
    @inlinable @inline(__always)
    package var isMarked: Bool { UInt(bitPattern: self) & 1 != 0 }

    var withMark: UnsafeRawPointer { UnsafeRawPointer(bitPattern: UInt(bitPattern: self) | 1)! }

    var withoutMark: UnsafeRawPointer { UnsafeRawPointer(bitPattern: UInt(bitPattern: self) & ~1)! }
}

/// An object that is no longer published, with one reference to it.
///
/// Only readers that began earlier, and the holder of this value, which hands it on unused, still refer to the object.
struct ReplacedObject: @unchecked Sendable {
    fileprivate let object: UnsafeRawPointer

    /// Takes over a reference.
    init(adopting object: UnsafeRawPointer) { self.object = object }

    /// Keeps an object alive until it is retired, where its deinit must not run.
    init(_ object: some AnyObject) { self.object = UnsafeRawPointer(Unmanaged.passRetained(object).toOpaque()) }

    /// - Parameter isWriter: Whether the caller is slowed down if too many objects wait.
    func retire(isWriter: Bool = true) { Reclaimer.shared.retire(object, isWriter: isWriter) }
}

/// Objects that are no longer published: mostly one, which takes no memory here.
struct ReplacedObjects {
    private var first: ReplacedObject?
    private var others: [ReplacedObject] = []

    var isEmpty: Bool { first == nil }

    mutating func append(_ object: ReplacedObject) {
        if first == nil { first = object } else { others.append(object) }
    }

    /// - Parameter isWriter: Whether the caller is slowed down if too many objects wait.
    func retire(isWriter: Bool = true) {
        first?.retire(isWriter: isWriter)
        for object in others { object.retire(isWriter: isWriter) }
    }
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
    /// Whether the thread is inside `read` of any session. Then it must not wait for anything that may wait for the end
    /// of this section: closing a session checks this and traps.
    static var isActive: Bool { rcu_is_reading() != 0 }
}

public import CLinux
public import CReadCopyUpdate
internal import Locking
public import Synchronization

/// A value that is derived from a session's snapshots, and derived again at the first read after a change.
///
/// A read compares the version that the value was derived from with the session's current one, in one read section: no
/// subscription, and nothing to compute for values that are not read.
@usableFromInline
package final class DerivedCell<Value: Sendable>: @unchecked Sendable {
    /// Returns the value of a snapshot. Runs outside of locks, and concurrently if several threads read.
    package typealias Derivation = @Sendable (AnySnapshotStorage, _ previous: Value) -> Value

    @usableFromInline let source: SnapshotPointer
    /// An ``Entry``, retained once by this cell.
    @usableFromInline let pointer: Atomic<UnsafeRawPointer>
    /// The same object as `source`.
    private let snapshotCell: any AnySnapshotCell
    private let derive: Derivation
    private let publishing = Lock(())

    @usableFromInline
    final class Entry: Sendable {
        @usableFromInline let value: Value
        @usableFromInline let version: Version

        init(_ value: Value, _ version: Version) { (self.value, self.version) = (value, version) }
    }

    /// - Parameter none: Stands for the previous value of the first derivation.
    init<Root>(_ cell: SessionCell<Root>, from none: Value, _ derive: @escaping Derivation) {
        (source, snapshotCell, self.derive) = (cell, cell, derive)
        // A version that no snapshot has.
        let first = Entry(none, Version(0))
        pointer = Atomic(UnsafeRawPointer(Unmanaged.passRetained(first).toOpaque()))
    }

    // Readers keep the cell alive, so there are none.
    deinit {
        let last = pointer.load(ordering: .acquiring)
        clinux_sanitizer_acquire(last)
        Unmanaged<Entry>.fromOpaque(last).release()
    }

    /// Runs `body` with the current value.
    @inlinable @inline(__always)
    package func read<Result>(_ body: (borrowing Value) -> Result) -> Result {
        rcu_begin_reading()
        let entry = currentEntry()
        defer {
            clinux_sanitizer_release(entry)
            rcu_end_reading()
        }
        return withExtendedLifetime(self) {
            Unmanaged<Entry>.fromOpaque(entry)._withUnsafeGuaranteedRef { body($0.value) }
        }
    }

    /// Must be called in a read section, and is in one again when it returns.
    @inlinable @inline(__always)
    func currentEntry() -> UnsafeRawPointer {
        let newest = source.pointer.load(ordering: .acquiring)
        let entry = pointer.load(ordering: .acquiring)
        if _fastPath(!newest.isMarked) {
            let version = Unmanaged<AnySnapshotStorage>.fromOpaque(newest)._withUnsafeGuaranteedRef {
                $0.version.number
            }
            if _fastPath(version == Unmanaged<Entry>.fromOpaque(entry)._withUnsafeGuaranteedRef { $0.version.number }) {
                return entry
            }
        }
        return renewedEntry()
    }

    @usableFromInline @inline(never)
    func renewedEntry() -> UnsafeRawPointer {
        rcu_end_reading()
        let snapshot = snapshotCell.latest
        let replaced = replace(with: Entry(derive(snapshot, copy()), snapshot.version))
        // The reader sees what it has derived, or something newer; both live until its section ends.
        rcu_begin_reading()
        replaced.retire(isWriter: false)
        return pointer.load(ordering: .acquiring)
    }

    /// Stores the value of a version that the caller has made itself.
    package func store(_ value: Value, of version: Version) {
        replace(with: Entry(value, version)).retire(isWriter: false)
    }

    /// Publishes an entry, unless another thread has published a newer one.
    private func replace(with entry: Entry) -> ReplacedObject {
        publishing.withLock { _ in
            let current = pointer.load(ordering: .acquiring)
            let version = Unmanaged<Entry>.fromOpaque(current)._withUnsafeGuaranteedRef { $0.version }
            if version >= entry.version { return ReplacedObject(entry) }
            pointer.store(UnsafeRawPointer(Unmanaged.passRetained(entry).toOpaque()), ordering: .releasing)
            return ReplacedObject(adopting: current)
        }
    }

    /// The value derived last, which may be outdated.
    private func copy() -> Value {
        rcu_begin_reading()
        let entry = pointer.load(ordering: .acquiring)
        defer {
            clinux_sanitizer_release(entry)
            rcu_end_reading()
        }
        return Unmanaged<Entry>.fromOpaque(entry)._withUnsafeGuaranteedRef { $0.value }
    }

    /// The value of a snapshot that may not be the current one.
    package func value(of snapshot: AnySnapshotStorage) -> Value {
        if snapshotCell.latest.version == snapshot.version { return read { copy $0 } }
        return derive(snapshot, copy())
    }
}

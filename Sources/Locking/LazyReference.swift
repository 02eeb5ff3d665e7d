public import Synchronization

/// A reference that is stored once, by the first thread that does so, and can then be read by all threads.
///
/// ```swift
/// if let cached = reference.load() { return cached }
/// return reference.storeIfNil(Cache(compute()))      // Several threads may compute; all get the same object.
/// ```
///
/// The standard library's `AtomicLazyReference` does the same, but the thread sanitizer does not see its
/// synchronization and reports races on the contents of the object.
@usableFromInline package struct LazyReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
    @usableFromInline let storage = Atomic<Unmanaged<Instance>?>(nil)

    @inlinable package init() {}

    @inlinable deinit { storage.load(ordering: .acquiring)?.release() }

    /// Returns the stored object; nil if there is none yet.
    @inlinable package func load() -> Instance? { storage.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Stores the object unless one is stored already, and returns the stored one.
    @inlinable package func storeIfNil(_ object: Instance) -> Instance {
        let new = Unmanaged.passRetained(object)
        let (_, found) = storage.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
        guard let found else { return object }
        new.release()
        return found.takeUnretainedValue()
    }
}

internal import Synchronization

/// A reference that is stored once, by whoever is first, and can be read by all threads from then on.
///
/// ```swift
/// if let known = reference.load() { return known }
/// return reference.storeIfNil(Known(workedOut()))      // several may work it out; all get the same
/// ```
///
/// The `AtomicLazyReference` of the standard library does the same, but the thread sanitizer does not see into it, and
/// takes what the object holds for a race.
package struct LazyReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
    private let storage = Atomic<Unmanaged<Instance>?>(nil)

    package init() {}

    deinit { storage.load(ordering: .acquiring)?.release() }

    /// What was stored; nil before.
    package func load() -> Instance? { storage.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Stores the object unless there is one, and returns the one that is there then.
    package func storeIfNil(_ object: Instance) -> Instance {
        let new = Unmanaged.passRetained(object)
        let (_, found) = storage.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
        guard let found else { return object }
        new.release()
        return found.takeUnretainedValue()
    }
}

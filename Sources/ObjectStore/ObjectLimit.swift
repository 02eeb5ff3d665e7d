internal import DurableFiles
internal import Locking

extension ObjectStore {
    /// The limits of a store, for caches.
    ///
    /// ```swift
    /// let images = ObjectStore(
    ///     in: Folders.cache / "images", limit: [.bytes(100_000_000), .age(.seconds(86_400))], durability: .fast)
    /// ```
    ///
    /// Objects older than the maximum age are not loaded. A save that may have filled the store removes them and, if
    /// less than a twentieth of a limit is free, the least recently saved or loaded objects, until a tenth is free.
    /// Between two such checks, each process counts only its own saves, so n processes can together exceed a limit by
    /// up to n − 1 times the space that was free.
    ///
    /// In a store with a limit, loading changes the times of files.
    public struct Limit: Sendable, Hashable {
        /// The size of all files together; nil without a limit.
        public var bytes: Int?
        /// The number of objects; nil without a limit.
        public var count: Int?
        /// The time since an object was saved; nil without a limit.
        public var age: Duration?

        /// A limit of the size of all files together.
        public static func bytes(_ bytes: Int) -> Limit { Limit(bytes: max(bytes, 0)) }
        /// A limit of the number of objects.
        public static func count(_ count: Int) -> Limit { Limit(count: max(count, 0)) }
        /// A limit of the time since an object was saved.
        public static func age(_ age: Duration) -> Limit { Limit(age: max(age, .zero)) }

        var isNone: Bool { self == [] }

        /// Whether an object that was saved at a time is older than the maximum age.
        func isExpired(_ saved: FileTime) -> Bool {
            age.map { .microseconds(Kernel.shared.now.microseconds(since: saved)) > $0 } ?? false
        }
    }
}

extension ObjectStore.Limit: ExpressibleByArrayLiteral {
    /// Combines the limits. Of two limits of the same kind, the last one applies.
    public init(arrayLiteral limits: ObjectStore.Limit...) {
        for limit in limits {
            bytes = limit.bytes ?? bytes
            count = limit.count ?? count
            age = limit.age ?? age
        }
    }
}

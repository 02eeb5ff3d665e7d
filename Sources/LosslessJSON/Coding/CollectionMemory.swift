internal import Locking

/// Where a collection is in a value, and its type.
struct CollectionPath: Hashable {
    let keys: [String]
    let type: ObjectIdentifier
}

/// The collections of one version of a value, for the next one.
final class CollectionMemory<Collection: Sendable>: Sendable {
    typealias Collections = [CollectionPath: Collection]

    private struct State {
        var collections: Collections = [:]
        /// Counts what was stored, so that nothing older is stored after it.
        var generation = 0

        mutating func store(_ new: Collections) -> Collections {
            generation += 1
            return exchange(new)
        }

        mutating func exchange(_ new: Collections) -> Collections {
            let old = collections
            collections = new
            return old
        }
    }

    private let state = Lock(State())

    /// Forgets all collections.
    func forget() {
        // Released after the lock.
        _ = state.withLock { $0.store([:]) }
    }

    /// Replaces each collection.
    func replaceEach(_ replacement: (Collection) -> Collection) {
        state.withLock { $0.collections = $0.collections.mapValues(replacement) }
    }

    /// Codes a value with the collections of the last one, of which another thread sees none meanwhile. `code` replaces
    /// them by those of the new one; they are kept as they were if it throws.
    // What it changes is passed, not returned: the type of a pair of a value and collections is looked up each time.
    func using<Result>(
        _ code: (inout Collections) throws(JSONCodingError) -> Result
    ) throws(JSONCodingError) -> Result {
        var generation = 0
        let old = state.withLock {
            generation = $0.generation
            return $0.exchange([:])
        }
        func store(_ collections: Collections) {
            _ = state.withLock { $0.generation == generation ? $0.store(collections) : [:] }
        }
        var collections = old
        do throws(JSONCodingError) {
            let result = try code(&collections)
            store(collections)
            return result
        } catch {
            store(old)
            throw error
        }
    }
}

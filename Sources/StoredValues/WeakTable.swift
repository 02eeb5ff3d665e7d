internal import Locking

/// A table of weak references: an object stays as long as something else retains it.
final class WeakTable<Key: Hashable & Sendable, Object: AnyObject & Sendable>: Sendable {
    private struct Entry {
        weak var object: Object?
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// The number of entries at which entries without an object are removed.
        var limit = 64
    }

    private let state = Lock(State())

    /// The object of a key; nil if it was released.
    subscript(key: Key) -> Object? { state.withLock { $0.entries[key]?.object } }

    var all: [Object] { state.withLock { $0.entries.values.compactMap(\.object) } }

    /// Adds an object, unless another thread has added one meanwhile. Returns the object of the key.
    func add(_ new: Object, as key: Key) -> Object {
        state.withLock { state in
            if let first = state.entries[key]?.object { return first }
            state.entries[key] = Entry(object: new)
            if state.entries.count >= state.limit {
                state.entries = state.entries.filter { $0.value.object != nil }
                state.limit = max(64, state.entries.count * 2)
            }
            return new
        }
    }
}

import Locking

/// The items that callbacks received, in order.
package final class Received<Item: Sendable>: Sendable {
    private let all = Lock<[Item]>([])

    package init() {}

    package func add(_ item: Item) { all.withLock { $0.append(item) } }

    package func removeAll() { all.withLock { $0 = [] } }

    /// A copy in separate storage. A shared buffer would be reused once its reference count shows that nobody reads it any
    /// more, which the thread sanitizer takes for a race.
    package var items: [Item] { all.withLock { $0.map(\.self) } }

    package var count: Int { all.withLock { $0.count } }
}

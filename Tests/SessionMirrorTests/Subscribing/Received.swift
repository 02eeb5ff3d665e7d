import Locking

/// What callbacks were given, in the order they were.
final class Received<Item: Sendable>: Sendable {
    private let all = Lock<[Item]>([])

    func add(_ item: Item) { all.withLock { $0.append(item) } }

    func forget() { all.withLock { $0 = [] } }

    /// In storage of its own: that nobody reads the old one any more is told by a reference count, which the thread
    /// sanitizer does not see.
    var items: [Item] { all.withLock { $0.map(\.self) } }

    var count: Int { all.withLock { $0.count } }
}

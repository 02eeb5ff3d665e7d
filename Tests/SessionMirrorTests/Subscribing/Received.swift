import Locking

/// What callbacks were given, in the order they were.
final class Received<Item: Sendable>: Sendable {
    private let all = Lock<[Item]>([])

    func add(_ item: Item) { all.withLock { $0.append(item) } }

    var items: [Item] { all.withLock { $0 } }

    var count: Int { all.withLock { $0.count } }
}

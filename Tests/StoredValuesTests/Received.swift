import Synchronization

/// Numbers that callbacks have received, in order.
final class Received: Sendable {
    private let numbers = Mutex<[Int]>([])

    var items: [Int] { numbers.withLock { $0 } }

    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}

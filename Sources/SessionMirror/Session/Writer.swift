internal import Glibc
internal import Locking
internal import LosslessJSON
internal import Synchronization

/// Makes the versions of a session that has no file, one after the other.
final class Writer<Root: Codable & Sendable>: Sendable {
    private let turn = Lock(Turn())
    /// The thread whose turn it is, to tell an update inside an update from two at the same time.
    private let thread = Atomic<UInt>(0)
    private let published: Published<Edition<Root>>
    private let bulletin: Bulletin

    private struct Turn {
        var isOver = false
    }

    init(_ published: Published<Edition<Root>>, _ bulletin: Bulletin) {
        self.published = published
        self.bulletin = bulletin
    }

    func update<Result: Sendable>(_ change: (inout Root) throws -> Result) throws -> Result {
        let current = UInt(pthread_self())
        precondition(thread.load(ordering: .relaxed) != current, "update of a session inside an update of it")
        if Forking.madeThisProcess { throw SessionError.forked }
        let (result, replaced) = try turn.withLock { turn in
            if turn.isOver { throw SessionError(.closed, "the session was closed") }
            thread.store(current, ordering: .relaxed)
            defer { thread.store(0, ordering: .relaxed) }
            let before = published.current
            var root = before.root
            let result = try change(&root)
            let edition = Edition(root, version: before.version.next, origin: .update, source: .value(.standard))
            return (result, published.replace(with: edition))
        }
        bulletin.post()
        replaced.retire()
        return result
    }

    /// Nothing changes any more.
    func close() { turn.withLock { $0.isOver = true } }
}

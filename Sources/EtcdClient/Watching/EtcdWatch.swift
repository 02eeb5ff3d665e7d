/// The changes of a key, or of all keys with a prefix, from a revision on.
///
/// ```swift
/// for try await event in client.watch("/settings", from: reading.revision + 1) { … }
/// ```
///
/// Each iteration opens a connection of its own. It ends by throwing, on any trouble: the caller then reads the key and
/// watches anew. A start that was compacted throws ``EtcdError/Code/compacted`` with the first revision that still exists.
/// Cancelling the task or releasing the iterator closes the connection.
///
/// Events are kept until they are consumed; nothing limits their memory. A connection that the network has lost is noticed
/// within 25 seconds, a member without leader within three election timeouts. A member that is stopped but whose system
/// still answers is not noticed.
package struct EtcdWatch: AsyncSequence, Sendable {
    package typealias Element = EtcdWatchEvent
    package typealias Failure = EtcdError

    let client: EtcdClient
    let key: String
    let isPrefix: Bool
    let revision: Int

    package func makeAsyncIterator() -> Iterator { Iterator(WatchReader(self)) }

    package struct Iterator: AsyncIteratorProtocol {
        private let reader: WatchReader

        init(_ reader: WatchReader) { self.reader = reader }

        package mutating func next() async throws(EtcdError) -> EtcdWatchEvent? { try await reader.next() }

        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(EtcdError) -> EtcdWatchEvent? { try await reader.next() }
    }
}

extension EtcdClient {
    /// Watches a key, or all that begin with it, from a revision of the store on.
    package func watch(_ key: String, prefix: Bool = false, from revision: Int) -> EtcdWatch {
        EtcdWatch(client: self, key: key, isPrefix: prefix, revision: revision)
    }
}

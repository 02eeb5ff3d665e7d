internal import Locking
internal import Observation
internal import SessionMirror

/// The object that the Observation framework observes in place of one value of a session.
///
/// Not nested in a generic type, which would create the key path literals anew at each access.
final class ObservedNode: Observable, Sendable {
    private let registrar = ObservationRegistrar()

    /// Represents the value in the framework.
    private var value: Void { () }

    /// Records that the caller reads the value.
    func access() { registrar.access(self, keyPath: \.value) }

    /// Announces that the value has changed.
    func changed() { registrar.withMutation(of: self, keyPath: \.value) {} }
}

/// The nodes of a session, one for each key path, and their subscriptions.
final class ObservedNodes: Sendable {
    private struct State: @unchecked Sendable {  // key paths have no mutable state
        var nodes: [AnyKeyPath: ObservedNode] = [:]
        /// The nodes by the identity of key paths, which are kept alive, so that identities stay unique. Finding a node
        /// by equality takes several times as long, and literals without captures are always the same object.
        var nodesByIdentity: [ObjectIdentifier: (node: ObservedNode, keyPath: AnyKeyPath)] = [:]

        /// Returns the node of a key path, and registers it for the identity.
        mutating func known(_ keyPath: AnyKeyPath, _ identity: ObjectIdentifier) -> ObservedNode? {
            guard let node = nodes[keyPath] else { return nil }
            if nodesByIdentity.count < identityLimit { nodesByIdentity[identity] = (node, keyPath) }
            return node
        }
    }

    /// Limits the identities, because key paths with captures are new objects each time.
    private static let identityLimit = 1_000

    private let state = Lock(State())

    init() {}

    /// Returns the node of a key path. Calls `subscribe` with a new node, before any thread gets it.
    func node(of keyPath: AnyKeyPath, subscribe: (ObservedNode) -> Void) -> ObservedNode {
        let identity = ObjectIdentifier(keyPath)
        if let known = state.withLock({ $0.nodesByIdentity[identity]?.node }) { return known }
        nonisolated(unsafe) let keyPath = keyPath
        if let known = state.withLock({ $0.known(keyPath, identity) }) { return known }
        // Subscribe outside the lock, because that runs key paths and comparisons. If another thread was first, the
        // subscription ends with the new node.
        let new = ObservedNode()
        subscribe(new)
        return state.withLock { state in
            if let first = state.known(keyPath, identity) { return first }
            state.nodes[keyPath] = new
            return state.known(keyPath, identity) ?? new
        }
    }
}

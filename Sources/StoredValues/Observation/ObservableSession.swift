public import SessionMirror

/// A session for Swift's Observation framework, with tracking per property: see `session.observable`.
///
/// ```swift
/// let settings = session.observable
/// for await burst in Observations({ settings.limits.burst }) { limiter.burst = burst }
/// ```
///
/// A change is announced to those who have read the changed property, after it is visible to readers.
///
/// The framework registers what a closure has read when the closure ends, and a change that is announced before that is
/// lost. Announced on the main actor, as by default, changes reach everything that reads on the main actor, without
/// exception. Anything else needs `session.observable(on:)`, which announces each change a second time a few
/// milliseconds later, and a closure that takes longer than that can still miss one.
///
/// What was read once is observed as long as the session exists.
///
/// Reading costs more than reading the session: about 0.3 µs. Use the session itself where nothing is tracked.
@dynamicMemberLookup
public struct ObservableSession<Root: Codable & Sendable>: Sendable {
    private enum Announcement: Sendable {
        case mainActor
        case twice(Delivery)
    }

    public let session: Session<Root>
    private let nodes: ObservedNodes
    private let announcement: Announcement

    /// Announced on the main actor. All of one session share what they observe.
    fileprivate init(_ session: Session<Root>) {
        self.session = session
        nodes = session.attachments.object(ObservedNodes.self, ObservedNodes.init)
        announcement = .mainActor
    }

    fileprivate init(_ session: Session<Root>, on delivery: Delivery) {
        self.session = session
        nodes = ObservedNodes()
        announcement = .twice(delivery)
    }

    /// The current value of a property, which a running observation tracks.
    public subscript<Value: Equatable & Sendable>(
        dynamicMember keyPath: any KeyPath<Root, Value> & Sendable
    ) -> Value { self[keyPath] }

    /// The current value at a key path, which a running observation tracks.
    public subscript<Value: Equatable & Sendable>(_ keyPath: any KeyPath<Root, Value> & Sendable) -> Value {
        nodes.node(of: keyPath) { subscribe($0, to: keyPath) }.access()
        return session[keyPath]
    }

    private func subscribe<Value: Equatable & Sendable>(
        _ node: ObservedNode, to keyPath: any KeyPath<Root, Value> & Sendable
    ) {
        switch announcement {
        case .mainActor: session.observe(keyPath, while: node, on: .mainActor) { node, _ in node.changed() }
        case .twice(let delivery):
            session.observe(keyPath, while: node, on: delivery) { node, _ in
                node.changed()
                Task {
                    try await Task.sleep(for: .milliseconds(5))
                    node.changed()
                }
            }
        }
    }
}

extension Session {
    /// The session for Swift's Observation framework. Changes are announced on the main actor.
    public var observable: ObservableSession<Root> { ObservableSession(self) }

    /// The session for Swift's Observation framework. Changes are announced twice, a few milliseconds apart.
    ///
    /// Keep the result: each one observes for itself.
    public func observable(on delivery: Delivery) -> ObservableSession<Root> { ObservableSession(self, on: delivery) }
}

extension StandardSession {
    /// The values for Swift's Observation framework. Changes are announced on the main actor.
    public static var observable: ObservableSession<Values> { session.observable }
}

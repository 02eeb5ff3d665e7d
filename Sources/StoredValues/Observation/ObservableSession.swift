public import SessionMirror

/// A session for Swift's Observation framework, with tracking per property: see `session.observable`.
///
/// ```swift
/// let settings = session.observable
/// for await burst in Observations({ settings.limits.burst }) { limiter.burst = burst }
/// ```
///
/// Announces a change to observers that have read the changed property, after the change is visible to readers.
///
/// The framework registers what a closure has read when the closure ends; a change announced before that is lost. With
/// delivery on the main actor, the default, code on the main actor misses no change. For other actors use
/// `session.observable(on:)`, which announces each change again after 5 ms and after 100 ms; a closure that runs longer
/// can still miss one.
///
/// A property that was read once is observed as long as the session exists.
///
/// Reading costs many times as much as reading the session. Use the session itself where nothing is tracked.
@dynamicMemberLookup
public struct ObservableSession<Root: Codable & Sendable>: Sendable {
    private enum Announcement: Sendable {
        case mainActor
        case repeated(Delivery)
    }

    public let session: Session<Root>
    private let nodes: ObservedNodes
    private let announcement: Announcement

    /// Announces on the main actor. All instances of one session share their subscriptions.
    fileprivate init(_ session: Session<Root>) {
        self.session = session
        nodes = session.attachments.object(ObservedNodes.self, ObservedNodes.init)
        announcement = .mainActor
    }

    fileprivate init(_ session: Session<Root>, on delivery: Delivery) {
        self.session = session
        nodes = ObservedNodes()
        announcement = .repeated(delivery)
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
        case .repeated(let delivery):
            session.observe(keyPath, while: node, on: delivery) { node, _ in
                node.changed()
                Task {
                    // On a busy machine, a short closure can take longer than the first pause.
                    for pause in [5, 95] {
                        try await Task.sleep(for: .milliseconds(pause))
                        node.changed()
                    }
                }
            }
        }
    }
}

extension Session {
    /// The session for Swift's Observation framework. Changes are announced on the main actor.
    public var observable: ObservableSession<Root> { ObservableSession(self) }

    /// The session for Swift's Observation framework. Each change is announced three times, within 100 ms.
    ///
    /// Store the result: each call creates its own subscriptions.
    public func observable(on delivery: Delivery) -> ObservableSession<Root> { ObservableSession(self, on: delivery) }
}

extension StandardSession {
    /// The values for Swift's Observation framework. Changes are announced on the main actor.
    public static var observable: ObservableSession<Values> { session.observable }
}

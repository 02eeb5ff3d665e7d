internal import SessionMirror

/// The session of a ``SessionView``, independent of the type of the session's value.
class ViewSource<Content: Sendable>: @unchecked Sendable {  // the subclass has constants only
    fileprivate init() {}

    /// A cell of the part.
    func cell() -> DerivedCell<Content> { preconditionFailure("every source has a cell") }

    func update(_ change: (inout Content) throws -> Void) throws { preconditionFailure("every source updates") }

    func observe<Value: Equatable & Sendable>(
        _ member: any KeyPath<Content, Value> & Sendable, _ initial: Bool, _ subscribe: ViewSubscription<Value>
    ) -> Subscription { preconditionFailure("every source observes") }

    func values<Value: Equatable & Sendable>(of member: any KeyPath<Content, Value> & Sendable) -> Values<Value> {
        preconditionFailure("every source has values")
    }

    func source<Inner: Sendable>(of member: any WritableKeyPath<Content, Inner> & Sendable) -> ViewSource<Inner> {
        preconditionFailure("every source has parts")
    }

    var mirror: FileMirror { preconditionFailure("every source has a mirror") }
}

/// A callback for changes of a part, and where it runs.
enum ViewSubscription<Value: Equatable & Sendable>: Sendable {
    case on(Delivery, @Sendable (Change<Value>) -> Void)
    case onMainActor(@MainActor @Sendable (Change<Value>) -> Void)
}

/// A part of a session's value, at a key path.
final class SessionViewSource<Root: Codable & Sendable, Content: Sendable>: ViewSource<Content>, @unchecked Sendable {
    private let session: Session<Root>
    private let keyPath: any WritableKeyPath<Root, Content> & Sendable

    init(_ session: Session<Root>, _ keyPath: any WritableKeyPath<Root, Content> & Sendable) {
        (self.session, self.keyPath) = (session, keyPath)
        super.init()
    }

    override func cell() -> DerivedCell<Content> { session.derivedCell(of: keyPath) }

    override func update(_ change: (inout Content) throws -> Void) throws {
        try session.update { try change(&$0[keyPath: keyPath]) }
    }

    override func observe<Value: Equatable & Sendable>(
        _ member: any KeyPath<Content, Value> & Sendable, _ initial: Bool, _ subscription: ViewSubscription<Value>
    ) -> Subscription {
        let path = appending(member)
        return switch subscription {
        case .on(let delivery, let body): session.observe(path, initial: initial, on: delivery, body)
        case .onMainActor(let body): session.observe(path, initial: initial, on: .mainActor, body)
        }
    }

    override func values<Value: Equatable & Sendable>(
        of member: any KeyPath<Content, Value> & Sendable
    ) -> Values<Value> { session.values(of: appending(member)) }

    override func source<Inner: Sendable>(of member: any WritableKeyPath<Content, Inner> & Sendable) -> ViewSource<
        Inner
    > {
        let path = (keyPath as WritableKeyPath<Root, Content>).appending(
            path: member as WritableKeyPath<Content, Inner>)
        // The standard library's function loses `Sendable`.
        return SessionViewSource<Root, Inner>(
            session, unsafeBitCast(path, to: (any WritableKeyPath<Root, Inner> & Sendable).self))
    }

    private func appending<Value>(
        _ member: any KeyPath<Content, Value> & Sendable
    ) -> any KeyPath<Root, Value> & Sendable {
        let path = (keyPath as WritableKeyPath<Root, Content>).appending(path: member as KeyPath<Content, Value>)
        return unsafeBitCast(path, to: (any KeyPath<Root, Value> & Sendable).self)
    }

    override var mirror: FileMirror { session.mirror }
}

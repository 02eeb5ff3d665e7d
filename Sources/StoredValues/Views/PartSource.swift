internal import SessionMirror

/// The session of a ``SessionView``, independent of the type of the session's value.
class PartSource<Part: Sendable>: @unchecked Sendable {  // the subclass has constants only
    fileprivate init() {}

    /// A cell of the part.
    func cell() -> DerivedCell<Part> { preconditionFailure("every source has a cell") }

    func update(_ change: (inout Part) throws -> Void) throws { preconditionFailure("every source updates") }

    func observe<Value: Equatable & Sendable>(
        _ member: any KeyPath<Part, Value> & Sendable, _ initial: Bool, _ subscribe: PartSubscription<Value>
    ) -> Subscription { preconditionFailure("every source observes") }

    func values<Value: Equatable & Sendable>(of member: any KeyPath<Part, Value> & Sendable) -> Values<Value> {
        preconditionFailure("every source has values")
    }

    func part<Inner: Sendable>(_ member: any WritableKeyPath<Part, Inner> & Sendable) -> PartSource<Inner> {
        preconditionFailure("every source has parts")
    }

    var mirror: FileMirror { preconditionFailure("every source has a mirror") }
}

/// A callback for changes of a part, and where it runs.
enum PartSubscription<Value: Equatable & Sendable>: Sendable {
    case on(Delivery, @Sendable (Change<Value>) -> Void)
    case onMainActor(@MainActor @Sendable (Change<Value>) -> Void)
}

/// A part of a session's value, at a key path.
final class SessionPart<Root: Codable & Sendable, Part: Sendable>: PartSource<Part>, @unchecked Sendable {
    private let session: Session<Root>
    private let keyPath: any WritableKeyPath<Root, Part> & Sendable

    init(_ session: Session<Root>, _ keyPath: any WritableKeyPath<Root, Part> & Sendable) {
        (self.session, self.keyPath) = (session, keyPath)
        super.init()
    }

    override func cell() -> DerivedCell<Part> { session.derivedCell(of: keyPath) }

    override func update(_ change: (inout Part) throws -> Void) throws {
        try session.update { try change(&$0[keyPath: keyPath]) }
    }

    override func observe<Value: Equatable & Sendable>(
        _ member: any KeyPath<Part, Value> & Sendable, _ initial: Bool, _ subscription: PartSubscription<Value>
    ) -> Subscription {
        let path = appending(member)
        return switch subscription {
        case .on(let delivery, let body): session.observe(path, initial: initial, on: delivery, body)
        case .onMainActor(let body): session.observe(path, initial: initial, on: .mainActor, body)
        }
    }

    override func values<Value: Equatable & Sendable>(
        of member: any KeyPath<Part, Value> & Sendable
    ) -> Values<Value> { session.values(of: appending(member)) }

    override func part<Inner: Sendable>(_ member: any WritableKeyPath<Part, Inner> & Sendable) -> PartSource<Inner> {
        let path = (keyPath as WritableKeyPath<Root, Part>).appending(path: member as WritableKeyPath<Part, Inner>)
        // The standard library's function loses `Sendable`.
        return SessionPart<Root, Inner>(
            session, unsafeBitCast(path, to: (any WritableKeyPath<Root, Inner> & Sendable).self))
    }

    private func appending<Value>(
        _ member: any KeyPath<Part, Value> & Sendable
    ) -> any KeyPath<Root, Value> & Sendable {
        let path = (keyPath as WritableKeyPath<Root, Part>).appending(path: member as KeyPath<Part, Value>)
        return unsafeBitCast(path, to: (any KeyPath<Root, Value> & Sendable).self)
    }

    override var mirror: FileMirror { session.mirror }
}

public import SessionMirror

/// A part of a session's value, for a component that needs no more.
///
/// ```swift
/// struct Limiter {
///     let limits: SessionView<Limits>
///     func allows(_ count: Int) -> Bool { count <= limits.burst }
/// }
///
/// let limiter = Limiter(limits: session.view(\.limits))
/// let tested = Limiter(limits: SessionView(constant: Limits(burst: 3)))
/// ```
///
/// A view keeps its session open. An edit of the file that removes an element ends a program that has a view at
/// `\.list[0]`: use `\.list[at: 0]`.
@dynamicMemberLookup
public struct SessionView<Part: Sendable>: Sendable {
    private let source: PartSource<Part>
    @usableFromInline let cell: DerivedCell<Part>

    init(_ source: PartSource<Part>) { (self.source, cell) = (source, source.cell()) }

    /// The current part.
    @inlinable
    public var value: Part { cell.read { copy $0 } }

    /// The current value of a member.
    @inlinable
    public subscript<Value>(dynamicMember member: KeyPath<Part, Value>) -> Value { cell.read { $0[keyPath: member] } }

    /// The current value of a member, also if a member of the view has the same name.
    @inlinable
    public subscript<Value>(_ member: KeyPath<Part, Value>) -> Value { cell.read { $0[keyPath: member] } }

    /// Calls `body` with the current part, without copying it.
    @inlinable
    public func read<Result>(_ body: (borrowing Part) -> Result) -> Result { cell.read(body) }

    /// Changes the part. See `Session.update(_:)`.
    ///
    /// - Throws: The errors of `Session.update(_:)`.
    public func update<Result>(_ change: (inout Part) throws -> Result) throws -> Result {
        var result: Result?
        try source.update { result = try change(&$0) }
        return result!  // the source always calls the closure, or throws
    }

    /// Calls `body` with each change to a member, until the result is released. `\.self` is the whole part.
    public func observe<Value: Equatable & Sendable>(
        _ member: any KeyPath<Part, Value> & Sendable, initial: Bool = false, on delivery: Delivery = .background,
        _ body: @escaping @Sendable (Change<Value>) -> Void
    ) -> Subscription { source.observe(member, initial, .on(delivery, body)) }

    /// Calls `body` on the main actor with each change to a member, until the result is released.
    public func observe<Value: Equatable & Sendable>(
        _ member: any KeyPath<Part, Value> & Sendable, initial: Bool = false, on delivery: MainActorDelivery,
        _ body: @escaping @MainActor (Change<Value>) -> Void
    ) -> Subscription { source.observe(member, initial, .onMainActor(body)) }

    /// Returns an asynchronous sequence of a member: the current value first, then each new one.
    public func values<Value: Equatable & Sendable>(of member: any KeyPath<Part, Value> & Sendable) -> Values<Value> {
        source.values(of: member)
    }

    /// Returns a part of this part.
    public func view<Inner: Sendable>(_ member: any WritableKeyPath<Part, Inner> & Sendable) -> SessionView<Inner> {
        SessionView<Inner>(source.part(member))
    }

    /// The status of the session's file, and reports about it.
    public var mirror: FileMirror { source.mirror }
}

extension SessionView where Part: Codable {
    /// Creates a view of a value that never changes, for tests and previews.
    public init(constant value: Part) { self.init(SessionPart(Session(constant: value), \.self)) }

    /// Creates a view of a value that only the program changes, for tests and previews.
    public init(inMemory value: Part) { self.init(SessionPart(Session(inMemory: value), \.self)) }
}

extension Session {
    /// Returns the part of the value at a key path, for a component that needs no more.
    public func view<Part: Sendable>(_ keyPath: any WritableKeyPath<Root, Part> & Sendable) -> SessionView<Part> {
        SessionView(SessionPart(self, keyPath))
    }
}

extension StandardSession {
    /// Returns the part of the values at a key path, for a component that needs no more.
    public static func view<Part: Sendable>(
        _ keyPath: any WritableKeyPath<Values, Part> & Sendable
    ) -> SessionView<Part> { session.view(keyPath) }
}

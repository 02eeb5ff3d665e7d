public import SessionMirror

/// A part of a session's value, for a component that needs only this part.
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
/// A view keeps its session open. A view at `\.list[0]` ends the program when an edit of the file removes the element:
/// use `\.list[at: 0]`.
@dynamicMemberLookup
public struct SessionView<Content: Sendable>: Sendable {
    private let source: ViewSource<Content>
    @usableFromInline let cell: DerivedCell<Content>

    init(_ source: ViewSource<Content>) { (self.source, cell) = (source, source.cell()) }

    /// The current part.
    @inlinable
    public var value: Content { cell.read { copy $0 } }

    // Always inlined, as the reads of a session.

    /// The current value of a member.
    @inlinable @inline(__always)
    public subscript<Value>(dynamicMember member: KeyPath<Content, Value>) -> Value {
        cell.read { $0[keyPath: member] }
    }

    /// The current value of a member, even if a member of the view has the same name.
    @inlinable @inline(__always)
    public subscript<Value>(_ member: KeyPath<Content, Value>) -> Value { cell.read { $0[keyPath: member] } }

    /// Calls `body` with the current part, without copying it.
    @inlinable @inline(__always)
    public func read<Result>(_ body: (borrowing Content) -> Result) -> Result { cell.read(body) }

    /// Changes the part. See `Session.update(_:)`.
    ///
    /// - Throws: The errors of `Session.update(_:)`.
    public func update<Result>(_ change: (inout Content) throws -> Result) throws -> Result {
        var result: Result?
        try source.update { result = try change(&$0) }
        return result!  // the source always calls the closure, or throws
    }

    /// Calls `body` with each change to a member, until the result is released. `\.self` is the whole part.
    public func observe<Value: Equatable & Sendable>(
        _ member: any KeyPath<Content, Value> & Sendable, initial: Bool = false, on delivery: Delivery = .background,
        _ body: @escaping @Sendable (Change<Value>) -> Void
    ) -> Subscription { source.observe(member, initial, .on(delivery, body)) }

    /// Calls `body` on the main actor with each change to a member, until the result is released.
    public func observe<Value: Equatable & Sendable>(
        _ member: any KeyPath<Content, Value> & Sendable, initial: Bool = false, on delivery: MainActorDelivery,
        _ body: @escaping @MainActor (Change<Value>) -> Void
    ) -> Subscription { source.observe(member, initial, .onMainActor(body)) }

    /// Returns an asynchronous sequence of a member: the current value first, then each new one.
    public func values<Value: Equatable & Sendable>(of member: any KeyPath<Content, Value> & Sendable) -> Values<Value>
    {
        source.values(of: member)
    }

    /// Returns a part of this part.
    public func view<Inner: Sendable>(_ member: any WritableKeyPath<Content, Inner> & Sendable) -> SessionView<Inner> {
        SessionView<Inner>(source.source(of: member))
    }

    /// The status of the session's file, and reports about it.
    public var mirror: FileMirror { source.mirror }
}

extension SessionView where Content: Codable {
    /// Creates a view of a value that never changes, for tests and previews.
    public init(constant value: Content) { self.init(SessionViewSource(Session(constant: value), \.self)) }

    /// Creates a view of a value that only the program changes, for tests and previews.
    public init(inMemory value: Content) { self.init(SessionViewSource(Session(inMemory: value), \.self)) }
}

extension Session {
    /// Returns the part of the value at a key path, for a component that needs only this part.
    public func view<Content: Sendable>(_ keyPath: any WritableKeyPath<Root, Content> & Sendable) -> SessionView<
        Content
    > {
        SessionView(SessionViewSource(self, keyPath))
    }
}

extension StandardSession {
    /// Returns the part of the values at a key path, for a component that needs only this part.
    public static func view<Content: Sendable>(
        _ keyPath: any WritableKeyPath<Values, Content> & Sendable
    ) -> SessionView<Content> { session.view(keyPath) }
}

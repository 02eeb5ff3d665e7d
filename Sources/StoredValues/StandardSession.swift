public import SessionMirror

/// A program's settings as static properties, kept in a file: one line each.
///
/// ```swift
/// enum Preferences: StandardSession {
///     struct Values: Codable, Sendable {
///         var showColumn = true
///         var showTags = true
///     }
///     static let session = standard(Values())
/// }
///
/// toggle.isHidden = !Preferences.showColumn       // the newest value, also after an edit of the file
/// Preferences.showColumn = true                   // visible at once, in the file soon
/// ```
///
/// The first access opens the file; there is nothing to initialize, and nothing to pass around. It works from any
/// thread. If the file cannot be used or opened, the values are the defaults, and ``session`` reports the problem.
///
/// An assignment cannot throw. If it fails, for example because the session's check rejects the value, it has no effect
/// and is reported as a problem with the code `rejectedAssignment`; ``update(_:)`` throws instead. If saving fails, the
/// value stays in memory, and saving is retried.
///
/// `Preferences.count += 1` reads, then assigns, and so can lose what another thread assigns in between. Use
/// ``update(_:)``, which is one step.
///
/// If a member of this protocol hides a property, such as `session`, `update` or `values`, use
/// `Preferences[\.session]`.
@dynamicMemberLookup
public protocol StandardSession {
    /// The values, with their defaults.
    associatedtype Values: Codable & Sendable

    /// The session that keeps the values. Declare it as `static let session = standard(Values())`.
    static var session: Session<Values> { get }

    /// The file; by default ``SessionLocation/standard``.
    static var location: SessionLocation { get }
}

extension StandardSession {
    /// The standard location.
    public static var location: SessionLocation { .standard }

    /// Opens the session of the file at ``location``. Never fails.
    ///
    /// Conformances with the same file share it; the first one that is used determines the options. Conformances with
    /// the same `Values` have the same session. With different `Values`, each has its own defaults, check and problems,
    /// and an assignment through one is visible through the others at once. A key is reported as unknown if no
    /// conformance that was used has it.
    ///
    /// - Parameters:
    ///   - defaults: The values that the file leaves out.
    ///   - options: The options of the session. Missing directories are created by the first save, with mode 0700, and
    ///     `start` has no effect.
    ///   - check: Rejects a value by throwing an error.
    public static func standard(
        _ defaults: Values, options: SessionOptions = SessionOptions(),
        check: (@Sendable (Values) throws -> Void)? = nil
    ) -> Session<Values> {
        Session.sharing(location, defaults, options, check)
    }

    // Reads are always inlined, as those of a session.

    /// The current value of a property, and its assignment.
    @inlinable
    public static subscript<Value>(dynamicMember keyPath: any WritableKeyPath<Values, Value> & Sendable) -> Value {
        @inline(__always) get { session[keyPath] }
        set { assign(newValue, to: keyPath) }
    }

    /// The current value of a property that cannot be assigned.
    @inlinable @inline(__always)
    public static subscript<Value>(dynamicMember keyPath: KeyPath<Values, Value>) -> Value { session[keyPath] }

    /// The current value of a property, and its assignment, even if a member of the protocol has the same name.
    @inlinable
    public static subscript<Value>(_ keyPath: any WritableKeyPath<Values, Value> & Sendable) -> Value {
        @inline(__always) get { session[keyPath] }
        set { assign(newValue, to: keyPath) }
    }

    /// The current value of a property that cannot be assigned, even if a member of the protocol has the same name.
    @inlinable @inline(__always)
    public static subscript<Value>(_ keyPath: KeyPath<Values, Value>) -> Value { session[keyPath] }

    @usableFromInline
    static func assign<Value>(_ value: Value, to keyPath: any WritableKeyPath<Values, Value> & Sendable) {
        session.assign { $0[keyPath: keyPath] = value }
    }

    /// Changes one or several values in one step. See `Session.update(_:)`. Setting or updating a value through another
    /// type or wrapper of the same file in `change` ends the program.
    ///
    /// - Throws: The error of `change` or of the session's check. The values are then unchanged.
    public static func update<Result>(_ change: (inout Values) throws -> Result) throws -> Result {
        try session.update(change)
    }

    /// Calls `body` with each change to a value, until the result is released. See `Session.observe`.
    public static func observe<Value: Equatable & Sendable>(
        _ keyPath: any KeyPath<Values, Value> & Sendable, initial: Bool = false, on delivery: Delivery = .background,
        _ body: @escaping @Sendable (Change<Value>) -> Void
    ) -> Subscription { session.observe(keyPath, initial: initial, on: delivery, body) }

    /// Calls `body` on the main actor with each change to a value, until the result is released.
    public static func observe<Value: Equatable & Sendable>(
        _ keyPath: any KeyPath<Values, Value> & Sendable, initial: Bool = false, on delivery: MainActorDelivery,
        _ body: @escaping @MainActor (Change<Value>) -> Void
    ) -> Subscription { session.observe(keyPath, initial: initial, on: delivery, body) }

    /// Returns an asynchronous sequence of a value: the current one first, then each new one.
    public static func values<Value: Equatable & Sendable>(
        of keyPath: any KeyPath<Values, Value> & Sendable
    ) -> SessionMirror.Values<Value> { session.values(of: keyPath) }
}

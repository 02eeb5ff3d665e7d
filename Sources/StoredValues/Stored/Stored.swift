public import LosslessJSON
public import SessionMirror

/// A persistent value, in one line: `@Stored("ratings") var ratings: [Int] = []`.
///
/// ```swift
/// struct RatingView: Sendable {
///     let exercise: Int
///     @Stored("ratings") private var ratings: [Int] = []
///     @Stored("nickname") var nickname: String?               // nil removes the key
///
///     func tap(_ rating: Int) {                               // an edit of the file may have shortened the array
///         $ratings.update { all in
///             while all.count <= exercise { all.append(0) }
///             all[exercise] = rating
///         }
///     }
/// }
/// ```
///
/// The value is a member of the file at the standard location (``SessionLocation``), or of the file of a session:
/// `@Stored("ratings", in: session)`. Reading gives the newest value, also after an edit of the file by a person or
/// another process; it takes no lock and decodes only what has changed. A new value is visible at once, and in the file
/// soon. A key is in the file only after it was set; until then, the value is the default.
///
/// All wrappers with the same file, key and type share one decoded value, and should have the same default. If a value
/// of the file cannot be decoded, wrappers keep the last usable one, and have a ``problem``; wrappers of another type
/// are not affected.
///
/// An assignment cannot throw. If it fails, for example because the value has no JSON form, it has no effect and is
/// reported as a problem with the code `rejectedAssignment`. `ratings.append(3)` and `count += 1` read, then assign,
/// and so can lose what another thread assigns in between; `$ratings.update { }` is one step.
///
/// Keys of a session's file are not reported as unknown once the session has a wrapper or a scene.
///
/// Assigning in an initializer, `init(count: Int) { self.count = count }`, writes to the file. The memberwise
/// initializer of a structure sets the default instead. A wrapper of an optional value with a default,
/// `var five: Int? = 5`, has the default again after `five = nil`.
///
/// A wrapper keeps its session open. It can be a property of a structure, an actor or a class that is not `Sendable`,
/// and a local variable. Swift allows no wrappers for global variables, `static var` and `Sendable` classes: declare a
/// structure of wrappers and keep it as a `let`, use ``StandardSession``, or write
/// `let ratings = Stored("ratings", default: [])` and `ratings.value`.
@propertyWrapper
public struct Stored<Value: Codable & Sendable>: Sendable {
    @usableFromInline let cell: StoredCell<Value>
    @usableFromInline let entry: DerivedCell<StoredEntry<Value>>
    @usableFromInline let initial: Value

    init(_ session: any AnySession, _ pointer: JSONPointer, _ initial: Value, of scene: SceneUse? = nil) {
        cell = StoredCells.cell(session, pointer, default: initial, scene)
        (entry, self.initial) = (cell.entry, initial)
    }

    /// The current value, and its assignment.
    @inlinable
    public var wrappedValue: Value {
        get { entry.read { $0.value ?? initial } }
        nonmutating set { cell.set(newValue) }
    }

    /// This wrapper, for its functions: `$ratings.update { }`.
    public var projectedValue: Stored { self }

    /// The current value, and its assignment.
    @inlinable
    public var value: Value {
        get { wrappedValue }
        nonmutating set { wrappedValue = newValue }
    }
}

// Creating wrappers.
extension Stored {
    /// Creates a wrapper of a member of the file at the standard location.
    public init(wrappedValue: Value, _ key: String) {
        self.init(Session.standardValues, JSONPointer([key]), wrappedValue)
    }

    /// Creates a wrapper of a member of a session's file.
    public init<Root>(wrappedValue: Value, _ key: String, in session: Session<Root>) {
        self.init(session, JSONPointer([key]), wrappedValue)
    }

    /// Creates a wrapper of a value deeper in the file at the standard location: `@Stored(at: "/view/ratings")`.
    public init(wrappedValue: Value, at pointer: JSONPointer) {
        self.init(Session.standardValues, pointer, wrappedValue)
    }

    /// Creates a wrapper of a value deeper in a session's file.
    public init<Root>(wrappedValue: Value, at pointer: JSONPointer, in session: Session<Root>) {
        self.init(session, pointer, wrappedValue)
    }

    /// Creates a wrapper without the attribute: `let ratings = Stored("ratings", default: [])`.
    public init(_ key: String, default initial: Value) { self.init(wrappedValue: initial, key) }

    /// Creates a wrapper of a member of a session's file without the attribute.
    public init<Root>(_ key: String, default initial: Value, in session: Session<Root>) {
        self.init(wrappedValue: initial, key, in: session)
    }
}

extension Stored where Value: ExpressibleByNilLiteral {
    /// Creates a wrapper of an optional value; nil removes the key.
    public init(_ key: String) { self.init(wrappedValue: nil, key) }

    /// Creates a wrapper of an optional value of a session's file; nil removes the key.
    public init<Root>(_ key: String, in session: Session<Root>) { self.init(wrappedValue: nil, key, in: session) }

    /// Creates a wrapper of an optional value deeper in the file; nil removes it.
    public init(at pointer: JSONPointer) { self.init(wrappedValue: nil, at: pointer) }

    /// Creates a wrapper of an optional value deeper in a session's file; nil removes it.
    public init<Root>(at pointer: JSONPointer, in session: Session<Root>) {
        self.init(wrappedValue: nil, at: pointer, in: session)
    }
}

extension Session where Root == JSON {
    /// The session of the file at the standard location, as wrappers use it. It stays open until the program ends.
    static let standardValues = Session.sharing(.standard, .object([:]), SessionOptions(), nil)
}

// The functions of `$ratings`.
extension Stored {
    /// Calls `body` with the current value, without copying it.
    ///
    /// ```swift
    /// let count = $ratings.read { $0.count }
    /// ```
    @inlinable
    public func read<Result>(_ body: (borrowing Value) -> Result) -> Result {
        entry.read { stored in if let value = stored.value { body(value) } else { body(initial) } }
    }

    /// Changes the value in one step. Other changes by this process cannot interleave. If another process changes the
    /// value at the same moment, one of the two values is kept, and the conflict is reported.
    ///
    /// A value that cannot be stored has no effect and is a problem, as with an assignment; the result of `change` is
    /// returned nevertheless. Setting or updating another value of the same file in `change` ends the program.
    ///
    /// - Throws: The error of `change`. The value is then unchanged.
    @discardableResult
    public func update<Result, Failure: Error>(
        _ change: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try cell.update(default: initial, change)
    }

    /// Removes the key, so that the value is the default. Objects that had only this value stay, and are empty.
    public func reset() { cell.set(nil) }

    /// Whether the file has the key with a value that is not null, or will have it once it is saved.
    public var isSet: Bool { entry.read { $0.node != nil } }

    /// The problem of the value in the file, with its line and column; nil if there is none. With a problem, the
    /// wrapper has the last usable value, or the default.
    public var problem: SessionProblem? { cell.problem }

    /// Saves the file now, and waits until it is durable, see `Session.flush()`. Without it, a change is saved within
    /// `SessionOptions.savingDelay`.
    public func flush() async throws { try await cell.session.flush() }

    /// Saves the file as ``flush()`` does, blocking the thread.
    public func flushBlocking() throws { try cell.session.flushBlocking() }

    /// The status of the file, and reports about it.
    public var mirror: FileMirror { cell.session.mirror }
}

extension Stored where Value: Equatable {
    /// Calls `body` with each change of the value, until the result is released. See `Session.observe`.
    public func observe(
        initial isInitialDue: Bool = false, on delivery: Delivery = .background,
        _ body: @escaping @Sendable (Change<Value>) -> Void
    ) -> Subscription { cell.session.observe(cell.entry, valueOrDefault, initial: isInitialDue, on: delivery, body) }

    /// Calls `body` on the main actor with each change of the value, until the result is released.
    public func observe(
        initial isInitialDue: Bool = false, on delivery: MainActorDelivery,
        _ body: @escaping @MainActor (Change<Value>) -> Void
    ) -> Subscription { cell.session.observe(cell.entry, valueOrDefault, initial: isInitialDue, on: delivery, body) }

    /// The changes of the value, as an asynchronous sequence. The first element is the first change.
    public var changes: Changes<Value> { cell.session.changes(of: cell.entry, valueOrDefault, initial: false) }

    /// The current value and each new one, as an asynchronous sequence.
    public var values: Values<Value> {
        Values(changes: cell.session.changes(of: cell.entry, valueOrDefault, initial: true))
    }

    private var valueOrDefault: @Sendable (StoredEntry<Value>) -> Value { { [initial] in $0.value ?? initial } }
}

extension Stored: Equatable where Value: Equatable {
    /// Whether the values are equal.
    public static func == (a: Stored, b: Stored) -> Bool { a.wrappedValue == b.wrappedValue }
}

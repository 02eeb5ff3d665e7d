internal import Locking
package import LosslessJSON

/// A session, independent of the type of its value: what stored values need.
package protocol AnySession: AnyObject, Sendable {
    var conversions: JSONConversions { get }
    var mirror: FileMirror { get }
    var attachments: Attachments { get }
    /// The objects that all sessions of the file share.
    var fileAttachments: Attachments { get }

    /// The current snapshot.
    var current: AnySnapshotStorage { get }

    /// Creates a cell of a value that is derived from this session's snapshots.
    func derivedCell<Value: Sendable>(
        from none: Value, _ derive: @escaping DerivedCell<Value>.Derivation
    ) -> DerivedCell<Value>

    /// Changes the file's tree in one step, and returns the version that has the change. See `Session.update(_:)`.
    @discardableResult
    func edit(_ change: (JSON) throws -> JSON) throws -> Version

    func flush() async throws
    func flushBlocking() throws

    /// Runs `body` on a thread of the library after a delay, if the session still exists then.
    func run(after delay: Duration, _ body: @escaping @Sendable (any AnySession) -> Void)

    /// Returns the warning about a value of a snapshot that cannot be decoded; nil if there is no value.
    func mismatch(_ error: JSONCodingError, in snapshot: AnySnapshotStorage) -> SessionProblem?

    /// Adds the warning about a value of a snapshot that cannot be decoded to the status soon.
    func reportMismatch(_ error: JSONCodingError, in snapshot: AnySnapshotStorage)

    /// Returns the warning about a value that is no object but would have to be for `pointer` to lead to a value; nil
    /// if there is none.
    func obstacle(to pointer: JSONPointer, in snapshot: AnySnapshotStorage) -> SessionProblem?

    /// Adds a warning to the status soon: a pointer leads through a value that is not an object.
    func reportObstacle(to pointer: JSONPointer, in snapshot: AnySnapshotStorage)

    /// Ends the warnings about unknown keys, because the program uses values by their keys.
    func allowUnknownKeys()

    /// Reports that an assignment failed.
    func report(rejectedAssignment error: any Error)

    func changes<Entry, Value: Equatable & Sendable>(
        of cell: DerivedCell<Entry>, _ part: @escaping @Sendable (Entry) -> Value, initial: Bool
    ) -> Changes<Value>

    func observe<Entry, Value: Equatable & Sendable>(
        _ cell: DerivedCell<Entry>, _ part: @escaping @Sendable (Entry) -> Value, initial: Bool, on delivery: Delivery,
        _ body: @escaping @Sendable (Change<Value>) -> Void
    ) -> Subscription

    func observe<Entry, Value: Equatable & Sendable>(
        _ cell: DerivedCell<Entry>, _ part: @escaping @Sendable (Entry) -> Value, initial: Bool,
        on delivery: MainActorDelivery, _ body: @escaping @MainActor (Change<Value>) -> Void
    ) -> Subscription
}

extension Session: AnySession {
    package var fileAttachments: Attachments {
        if case .file(let synchronizer, _) = source { synchronizer.attachments } else { attachments }
    }

    package var current: AnySnapshotStorage { snapshotCell.current }

    package func derivedCell<Value: Sendable>(
        from none: Value, _ derive: @escaping DerivedCell<Value>.Derivation
    ) -> DerivedCell<Value> { DerivedCell(snapshotCell, from: none, derive) }

    @discardableResult
    package func edit(_ change: (JSON) throws -> JSON) throws -> Version { try writer.edit(change) }

    /// Creates a cell of a part of the value.
    package func derivedCell<Derived: Sendable>(of keyPath: any KeyPath<Root, Derived> & Sendable) -> DerivedCell<
        Derived
    > {
        DerivedCell(snapshotCell, from: read { $0[keyPath: keyPath] }) { snapshot, _ in
            unsafeDowncast(snapshot, to: SnapshotStorage<Root>.self).root[keyPath: keyPath]
        }
    }

    package func allowUnknownKeys() {
        // The caller may be inside an update.
        if case .file(let synchronizer, _) = source { synchronizer.allowUnknownKeysLater() }
    }

    package func run(after delay: Duration, _ body: @escaping @Sendable (any AnySession) -> Void) {
        ThreadPool.shared.run(at: .now + delay) { [weak self] in if let self { body(self) } }
    }

    package func changes<Entry, Value: Equatable & Sendable>(
        of cell: DerivedCell<Entry>, _ part: @escaping @Sendable (Entry) -> Value, initial: Bool
    ) -> Changes<Value> { changes(of: Projection(cell, part), initial: initial) }

    package func observe<Entry, Value: Equatable & Sendable>(
        _ cell: DerivedCell<Entry>, _ part: @escaping @Sendable (Entry) -> Value, initial: Bool, on delivery: Delivery,
        _ body: @escaping @Sendable (Change<Value>) -> Void
    ) -> Subscription { observe(Projection(cell, part), initial, Callback(on: delivery, body)) }

    package func observe<Entry, Value: Equatable & Sendable>(
        _ cell: DerivedCell<Entry>, _ part: @escaping @Sendable (Entry) -> Value, initial: Bool,
        on delivery: MainActorDelivery, _ body: @escaping @MainActor (Change<Value>) -> Void
    ) -> Subscription { observe(Projection(cell, part), initial, Callback(on: delivery, body)) }
}

extension Session.Projection {
    /// A part of a derived value. Not shared among subscribers, because the parts may have different defaults.
    fileprivate init<Entry>(_ cell: DerivedCell<Entry>, _ part: @escaping @Sendable (Entry) -> Value) {
        key = .condition(ConditionIdentity())
        get = { part(cell.value(of: $0)) }
    }
}

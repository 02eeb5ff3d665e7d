public import LosslessJSON

// The values of the file by pointer, which the file need not have, as `JSON` or as another type.
//
// A value that cannot be decoded as the type is nil here, and a warning of the file.
extension Session {
    /// Returns an asynchronous sequence of the file's value at a pointer: the current one first, then each new one.
    ///
    /// ```swift
    /// for await rating in session.values(of: "/rating", as: Int.self) { … }
    /// ```
    public func values<Value: Decodable & Equatable & Sendable>(
        of pointer: JSONPointer, as type: Value.Type
    ) -> Values<Value?> { Values(changes: changes(of: projection(of: pointer, as: type), initial: true)) }

    /// Returns an asynchronous sequence of the changes to the file's value at a pointer: `changes(of: "/http/port")`.
    public func changes<Value: Decodable & Equatable & Sendable>(
        of pointer: JSONPointer, as type: Value.Type
    ) -> Changes<Value?> { changes(of: projection(of: pointer, as: type)) }

    /// Calls `body` with each change to the file's value at a pointer, until the result is released.
    ///
    /// ```swift
    /// let token = session.observe("/rating", as: Int.self) { print($0.new ?? 0) }
    /// ```
    public func observe<Value: Decodable & Equatable & Sendable>(
        _ pointer: JSONPointer, as type: Value.Type, initial: Bool = false,
        on delivery: Delivery = .background, _ body: @escaping @Sendable (Change<Value?>) -> Void
    ) -> Subscription { observe(projection(of: pointer, as: type), initial, Callback(on: delivery, body)) }

    /// Calls `body` on the main actor with each change to the file's value at a pointer, until the result is released.
    public func observe<Value: Decodable & Equatable & Sendable>(
        _ pointer: JSONPointer, as type: Value.Type, initial: Bool = false, on delivery: MainActorDelivery,
        _ body: @escaping @MainActor (Change<Value?>) -> Void
    ) -> Subscription { observe(projection(of: pointer, as: type), initial, Callback(on: delivery, body)) }

    /// Calls `body` on an actor with each change to the file's value at a pointer, until the result is released. Does
    /// not keep the actor alive.
    public func observe<Value: Decodable & Equatable & Sendable, Target: Actor>(
        _ pointer: JSONPointer, as type: Value.Type, initial: Bool = false, on actor: Target,
        _ body: @escaping @Sendable (isolated Target, Change<Value?>) -> Void
    ) -> Subscription { observe(projection(of: pointer, as: type), initial, Callback(on: actor, body)) }

    /// Calls `body` with each change to the file's value at a pointer, as long as `owner` exists. Does not keep the
    /// owner alive.
    public func observe<Value: Decodable & Equatable & Sendable, Owner: AnyObject & Sendable>(
        _ pointer: JSONPointer, as type: Value.Type, initial: Bool = false, while owner: Owner,
        on delivery: Delivery = .background, _ body: @escaping @Sendable (Owner, Change<Value?>) -> Void
    ) { observe(projection(of: pointer, as: type), initial, while: owner, Callback(while: owner, on: delivery, body)) }

    /// Calls `body` on the main actor with each change to the file's value at a pointer, as long as `owner` exists.
    /// Does not keep the owner alive.
    public func observe<Value: Decodable & Equatable & Sendable, Owner: AnyObject & Sendable>(
        _ pointer: JSONPointer, as type: Value.Type, initial: Bool = false, while owner: Owner,
        on delivery: MainActorDelivery, _ body: @escaping @MainActor (Owner, Change<Value?>) -> Void
    ) { observe(projection(of: pointer, as: type), initial, while: owner, Callback(while: owner, on: delivery, body)) }
}

extension Session {
    /// Returns an asynchronous sequence of the file's value at a pointer, as `JSON`.
    public func values(of pointer: JSONPointer) -> Values<JSON?> { values(of: pointer, as: JSON.self) }

    /// Returns an asynchronous sequence of the changes to the file's value at a pointer, as `JSON`.
    public func changes(of pointer: JSONPointer) -> Changes<JSON?> { changes(of: pointer, as: JSON.self) }

    /// Calls `body` with each change to the file's value at a pointer, as `JSON`, until the result is released.
    public func observe(
        _ pointer: JSONPointer, initial: Bool = false, on delivery: Delivery = .background,
        _ body: @escaping @Sendable (Change<JSON?>) -> Void
    ) -> Subscription { observe(pointer, as: JSON.self, initial: initial, on: delivery, body) }
}

extension Session {
    private func projection<Decoded: Decodable & Equatable & Sendable>(
        of pointer: JSONPointer, as type: Decoded.Type
    ) -> Projection<Decoded?> {
        Projection(pointer, as: type, conversions) { [weak self] error, snapshot in
            self?.reportMismatch(error, in: snapshot)
        }
    }
}

extension Session.Projection {
    /// The value of the file at `pointer`; nil if there is none, or if it cannot be decoded, which is reported.
    init<Decoded: Decodable>(
        _ pointer: JSONPointer, as type: Decoded.Type, _ conversions: JSONConversions,
        reportingTo report: @escaping @Sendable (JSONCodingError, SnapshotStorage<Root>) -> Void
    ) where Value == Decoded? {
        key = .pointer(pointer, ObjectIdentifier(type))
        get = { snapshot in
            do throws(JSONCodingError) {
                return try snapshot.json.value(type, at: pointer, conversions: conversions)
            } catch {
                report(error, snapshot)
                return nil
            }
        }
    }
}

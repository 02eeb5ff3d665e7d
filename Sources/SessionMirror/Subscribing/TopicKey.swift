internal import LosslessJSON

/// What two subscribers must have in common to share a topic.
enum TopicKey: Hashable, Sendable {
    case keyPath(KeyPathIdentity)
    case pointer(JSONPointer)
    case condition(ConditionIdentity)
}

/// A key path, for comparing only.
struct KeyPathIdentity: Hashable, Sendable {
    private let keyPath: any AnyKeyPath & Sendable

    init(_ keyPath: any AnyKeyPath & Sendable) { self.keyPath = keyPath }

    static func == (a: KeyPathIdentity, b: KeyPathIdentity) -> Bool { a.keyPath as AnyKeyPath == b.keyPath }

    func hash(into hasher: inout Hasher) { hasher.combine(keyPath as AnyKeyPath) }
}

/// A condition, which is like no other: closures cannot be compared.
final class ConditionIdentity: Hashable, Sendable {
    static func == (a: ConditionIdentity, b: ConditionIdentity) -> Bool { a === b }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

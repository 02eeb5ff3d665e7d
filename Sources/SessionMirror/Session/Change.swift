/// That a value was one thing and is another.
public struct Change<Value: Sendable>: Sendable {
    /// What this subscriber was given last, or found when it subscribed.
    public let old: Value

    /// What it is now.
    public let new: Value

    /// The version that brought it.
    public let version: Version

    /// Who made that version.
    public let origin: Origin
}

extension Change: Equatable where Value: Equatable {}

/// The synchronization of a session with the other machines of a fleet.
public struct FleetStatus: Sendable, Hashable {
    /// Whether the store that the machines share can be reached.
    public enum Connection: Sendable, Hashable {
        /// Not yet: the session serves the file.
        case connecting
        /// Changes are exchanged as they happen.
        case connected
        /// No longer, or never so far, since a moment, for the reason given. The session serves and saves the file, and
        /// changes are exchanged when the connection is back.
        case disconnected(since: ContinuousClock.Instant, reason: String)
        /// Another process of this machine exchanges the changes of the file.
        case standby
    }

    /// Boxed, because the status of a session has room for one and is copied at each update.
    private var fields: Box<Fields>

    private struct Fields: Sendable, Hashable {
        var key: String
        var connection: Connection
        var revision: Int
        var isKeyMissing: Bool
        var versionsBehind: Int
        var hasUnsentChanges: Bool
        var problem: SessionProblem?
    }

    private mutating func set<Value>(_ field: WritableKeyPath<Fields, Value>, to value: Value) {
        var copy = fields.value
        copy[keyPath: field] = value
        fields = Box(copy)
    }

    /// The key under which the machines share the value.
    public var key: String {
        get { fields.value.key }
        set { set(\.key, to: newValue) }
    }

    /// Whether the store that the machines share can be reached.
    public var connection: Connection {
        get { fields.value.connection }
        set { set(\.connection, to: newValue) }
    }

    /// The revision of the store that this machine and the others last agreed on; 0 before the first one.
    public var revision: Int {
        get { fields.value.revision }
        set { set(\.revision, to: newValue) }
    }

    /// Whether the key was deleted from the store, or does not exist yet.
    public var isKeyMissing: Bool {
        get { fields.value.isKeyMissing }
        set { set(\.isKeyMissing, to: newValue) }
    }

    /// The number of versions of the value that were seen in the store and are not in the file.
    public var versionsBehind: Int {
        get { fields.value.versionsBehind }
        set { set(\.versionsBehind, to: newValue) }
    }

    /// Whether the file has changes that the store does not have.
    public var hasUnsentChanges: Bool {
        get { fields.value.hasUnsentChanges }
        set { set(\.hasUnsentChanges, to: newValue) }
    }

    /// Why changes cannot be exchanged although the store can be reached: for example because this machine rejects the
    /// value of the store.
    public var problem: SessionProblem? {
        get { fields.value.problem }
        set { set(\.problem, to: newValue) }
    }

    /// Creates a status, for tests of code that handles one.
    public init(
        key: String, connection: Connection = .connecting, revision: Int = 0, isKeyMissing: Bool = false,
        versionsBehind: Int = 0, hasUnsentChanges: Bool = false, problem: SessionProblem? = nil
    ) {
        fields = Box(
            Fields(
                key: key, connection: connection, revision: revision, isKeyMissing: isKeyMissing,
                versionsBehind: versionsBehind, hasUnsentChanges: hasUnsentChanges, problem: problem))
    }

    /// Whether all properties are equal.
    public static func == (a: FleetStatus, b: FleetStatus) -> Bool {
        a.fields === b.fields || a.fields.value == b.fields.value
    }

    /// Hashes all properties.
    public func hash(into hasher: inout Hasher) { fields.value.hash(into: &hasher) }
}

extension FleetStatus: CustomStringConvertible {
    /// The status on one line, for logs: `connected, revision 17, 1 behind, unsent changes`.
    public var description: String {
        var parts = ["\(connection)", "revision \(revision)"]
        if isKeyMissing { parts.append("no key") }
        if versionsBehind > 0 { parts.append("\(versionsBehind) behind") }
        if hasUnsentChanges { parts.append("unsent changes") }
        if let problem { parts.append("problem: \(problem)") }
        return parts.joined(separator: ", ")
    }
}

extension FleetStatus.Connection: CustomStringConvertible {
    /// `connecting`, `connected`, `standby`, or `disconnected` with the reason in parentheses.
    public var description: String {
        switch self {
        case .connecting: "connecting"
        case .connected: "connected"
        case .disconnected(_, let reason): "disconnected (\(reason))"
        case .standby: "standby"
        }
    }
}

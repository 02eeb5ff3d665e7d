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

    /// The key under which the machines share the value.
    public var key: String

    /// Whether the store that the machines share can be reached.
    public var connection: Connection

    /// The revision of the store that this machine and the others last agreed on; 0 before the first one.
    public var revision: Int

    /// Whether the key was deleted from the store, or does not exist yet. What happens then, the options of the
    /// synchronization say.
    public var isKeyMissing: Bool

    /// The number of versions of the value that were seen in the store and are not in the file.
    public var versionsBehind: Int

    /// Whether the file has changes that the store does not have.
    public var hasUnsentChanges: Bool

    /// Why changes cannot be exchanged although the store can be reached: for example because this machine rejects the
    /// value of the store.
    public var problem: SessionProblem?

    /// Creates a status, for tests of code that handles one.
    public init(
        key: String, connection: Connection = .connecting, revision: Int = 0, isKeyMissing: Bool = false,
        versionsBehind: Int = 0, hasUnsentChanges: Bool = false, problem: SessionProblem? = nil
    ) {
        (self.key, self.connection, self.revision) = (key, connection, revision)
        self.isKeyMissing = isKeyMissing
        (self.versionsBehind, self.hasUnsentChanges, self.problem) = (versionsBehind, hasUnsentChanges, problem)
    }
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

public import LosslessJSON

/// How a file takes part in a fleet.
public struct FleetOptions: Sendable {
    /// What happens to the file when the key is deleted from the store.
    public enum DeletedKey: Sendable {
        /// The file stays. The next change of the file creates the key again.
        case keepFile
        /// The file stays, and the key is created again from it.
        case recreateKey
    }

    /// Paths that belong to this machine, such as `http.address`: they are neither sent nor overwritten.
    public var localPaths: [JSONPointer] = []

    /// The name of this machine, by which other machines report who wrote a value; by default the name of the host.
    public var machine = FleetOptions.hostName

    /// What happens to the file when the key is deleted from the store.
    public var deletedKey = DeletedKey.keepFile

    /// How long ``FleetSession/commit(_:)`` waits for the store.
    public var commitTimeout = Duration.seconds(30)

    /// How long a machine stays on the list of machines after it has disappeared. It renews its entry three times in
    /// this time.
    public var registrationLifetime = Duration.seconds(60)

    /// The longest random delay before the first attempt to connect again, so that the machines of a fleet do not come
    /// all at once after the store was restarted. Doubled after each failure, up to a minute.
    public var reconnectDelay = Duration.milliseconds(500)

    /// The directory for what this feature keeps about the file: the last text that it had in common with the store, and
    /// locks. The processes of a machine that share the file must use the same one. By default a hidden directory beside
    /// the file.
    public var stateDirectory: String?

    /// The defaults.
    public init() {}
}

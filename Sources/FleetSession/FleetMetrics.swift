/// Counters of the synchronization with other machines, since it began.
public struct FleetMetrics: Sendable, Hashable {
    /// The changes of this machine's file that were put into the store.
    public internal(set) var sends = 0

    /// The commits of this process.
    public internal(set) var commits = 0

    /// The texts of the store that were merged into the file.
    public internal(set) var merges = 0

    /// The values that this machine and another one had changed differently.
    public internal(set) var conflicts = 0

    /// How often a change was computed again because another machine was faster.
    public internal(set) var retries = 0

    /// How often the connection was established.
    public internal(set) var connections = 0
}

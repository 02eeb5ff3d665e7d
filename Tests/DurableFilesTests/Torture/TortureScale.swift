import TestSupport

/// The amount of work of the stress tests of files: a few seconds by default, or as `make torture-files` sets it.
enum TortureScale {
    /// The number of processes killed for each kind of external writer.
    static let kills = environmentNumber("SESSIONMIRROR_KILLS") ?? 24

    /// The number of runs without kills.
    static let runs = environmentNumber("SESSIONMIRROR_RUNS") ?? 1

    /// The number of keys that each process adds.
    static let keys = environmentNumber("SESSIONMIRROR_RUNS") == nil ? 50 : 1_000
}

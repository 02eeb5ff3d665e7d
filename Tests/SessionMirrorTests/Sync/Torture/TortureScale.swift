import TestSupport

/// The amount of work of the stress tests of saving: a few seconds by default, or as `make torture-saving` sets it.
enum TortureScale {
    /// The number of repetitions.
    static let runs = environmentNumber("SESSIONMIRROR_RUNS") ?? 1

    /// The number of commits of each process.
    static let commits = isShort ? 60 : 500

    /// The number of updates of each process.
    static let updates = isShort ? 60 : 250

    /// The number of processes killed.
    static let kills = environmentNumber("SESSIONMIRROR_KILLS") ?? 20

    private static let isShort = environmentNumber("SESSIONMIRROR_RUNS") == nil
}

import Glibc

/// How much the torture of saving does: a few seconds beside all other tests, or what `make torture-saving` says.
enum SavingAmount {
    /// How often the same is done in a row.
    static let runs = number("SESSIONMIRROR_RUNS") ?? 1

    /// How often each process saves where that takes the disk each time.
    static let commits = isShort ? 60 : 500

    /// How many keys each process sets in memory.
    static let updates = isShort ? 60 : 250

    /// How many processes are killed.
    static let kills = number("SESSIONMIRROR_KILLS") ?? 20

    private static let isShort = number("SESSIONMIRROR_RUNS") == nil

    private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
}

import Glibc

/// How much the torture of files does: a few seconds beside all other tests, or what `make torture-files` says.
enum Amount {
    /// How many processes are killed beside each foreign writer.
    static let kills = number("SESSIONMIRROR_KILLS") ?? 24

    /// How often the same is done in a row where nobody is killed.
    static let runs = number("SESSIONMIRROR_RUNS") ?? 1

    /// How many keys each process adds.
    static let keys = number("SESSIONMIRROR_RUNS") == nil ? 50 : 1_000

    private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
}

import ManualTiming

/// What grows in a series of measurements.
enum Axis: String {
    case bytes, keys, subscribers, sessions, threads
}

/// A size on an axis.
struct Size {
    let axis: Axis
    let number: Int

    init(_ number: Int, _ axis: Axis) { (self.number, self.axis) = (number, axis) }

    /// For example `100KB` or `1 key`.
    var name: String {
        guard axis == .bytes else {
            return "\(number) \(number == 1 ? String(axis.rawValue.dropLast()) : axis.rawValue)"
        }
        return number < 1_000_000 ? "\(number / 1_000)KB" : "\(number / 1_000_000)MB"
    }
}

/// The measurements of all operations at all sizes.
struct Growth {
    let isShort: Bool
    private(set) var results = Results()

    init(isShort: Bool) { self.isShort = isShort }

    /// One way to do the work of an operation.
    struct Implementation {
        let name: String
        /// Does the work once, and returns its time in nanoseconds.
        let measure: () throws -> Double

        init(_ name: String, measure: @escaping () throws -> Double) { (self.name, self.measure) = (name, measure) }
    }

    private static let mostRounds = 200
    private var leastRounds: Int { isShort ? 2 : 3 }
    /// The time for one operation at one size, unless the least number of rounds takes longer.
    private var nanoseconds: Int { isShort ? 50_000_000 : 600_000_000 }

    /// Measures all implementations of an operation at one size, in turns. The result is the lower quartile, because
    /// disturbances only make a measurement longer.
    mutating func measure(_ operation: String, _ size: Size, _ implementations: [Implementation]) throws {
        var times = implementations.map { _ in [Double]() }
        let end = now() + nanoseconds
        var rounds = 0
        while rounds < leastRounds || (rounds < Self.mostRounds && now() < end) {
            for index in implementations.indices.rotated(by: rounds) {
                times[index].append(try implementations[index].measure())
            }
            rounds += 1
        }
        for (implementation, times) in zip(implementations, times) {
            results.add(
                "scale/\(operation)/\(size.name)", by: implementation.name, exactly: times.sorted()[times.count / 4],
                times: times, growth: (size.axis.rawValue, size.number))
        }
    }
}

/// The time of `work` in nanoseconds, including the release of its result.
func time(_ work: () throws -> some Any) rethrows -> Double {
    let begin = now()
    try withExtendedLifetime(work()) {}
    return Double(now() - begin)
}

/// The time to copy the text.
func copyTime(of text: [UInt8]) -> Double {
    time { [UInt8](unsafeUninitializedCapacity: text.count) { $1 = $0.initialize(fromContentsOf: text) } }
}

/// The time until `condition` is true in nanoseconds. Waits by spinning, so that no thread has to be woken.
func time(until condition: () -> Bool, after begin: Int) -> Double {
    let limit = begin + 60_000_000_000
    while !condition() { if now() > limit { fail("a change has not become visible within 60 s") } }
    return Double(now() - begin)
}

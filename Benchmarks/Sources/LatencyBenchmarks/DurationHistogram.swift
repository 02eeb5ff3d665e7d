import CCycleCounter
import ManualTiming

/// Durations in ticks of the cycle counter, in buckets that are at most 1 % wide.
struct DurationHistogram {
    private var counts = [Int](repeating: 0, count: 64 * DurationHistogram.half)
    private(set) var count = 0
    private(set) var maximum: UInt64 = 0

    /// The buckets of each power of two. Durations below twice this have a bucket each.
    private static let half = 128

    mutating func add(_ ticks: UInt64) {
        let shift = max(0, 56 - ticks.leadingZeroBitCount)
        counts[shift * Self.half + Int(ticks >> UInt64(shift))] += 1
        count += 1
        maximum = max(maximum, ticks)
    }

    /// The quantile, for example 0.5 for the median; 1 for the maximum.
    func quantile(_ part: Double) -> UInt64 {
        if part >= 1 { return maximum }
        var rest = Int(part * Double(count - 1))
        for (bucket, count) in counts.enumerated() where count > 0 {
            if rest < count { return Self.duration(of: bucket) }
            rest -= count
        }
        return maximum
    }

    private static func duration(of bucket: Int) -> UInt64 {
        let shift = max(0, bucket / half - 1)
        return UInt64(bucket - shift * half) << UInt64(shift)
    }
}

/// The length of a tick of the cycle counter.
struct CycleClock {
    let nanosecondsPerTick: Double

    /// Compares the counter with CLOCK_MONOTONIC for 50 ms.
    init() {
        let (begin, first) = (now(), cycle_counter())
        while now() < begin + 50_000_000 {}
        nanosecondsPerTick = Double(now() - begin) / Double(cycle_counter() - first)
    }

    func nanoseconds(_ ticks: UInt64) -> Double { Double(ticks) * nanosecondsPerTick }

    func ticks(_ nanoseconds: Int) -> UInt64 { UInt64(Double(nanoseconds) / nanosecondsPerTick) }
}

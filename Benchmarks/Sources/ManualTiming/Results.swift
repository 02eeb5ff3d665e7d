import Foundation

/// Repeated measurements of one case, in nanoseconds.
package struct Times {
    package init() {}

    package private(set) var all: [Int] = []

    package mutating func add(_ nanoseconds: Int) { all.append(nanoseconds) }

    /// The quantile, for example 0.5 for the median.
    package func quantile(_ part: Double) -> Int { all.sorted()[Int(part * Double(all.count - 1))] }
}

/// Results in the JSON format of Google Benchmark.
package struct Results {
    package init() {}

    private struct Entry: Encodable {
        let name: String
        let runType = "iteration"
        let realTime: Double
        let timeUnit = "ns"
        let bytes: Int?
        let allocatedBytes: Int?
        let times: [Double]?
        var axis: String?
        var size: Int?
        /// The lower quartile, the median and the upper quartile.
        var quartiles: [Int]?
        /// The number of measurements that the quartiles are of.
        var measurements: Int?

        enum CodingKeys: String, CodingKey {
            case name
            case runType = "run_type"
            case realTime = "real_time"
            case timeUnit = "time_unit"
            case bytes = "resultBytes"
            case allocatedBytes
            case times
            case axis
            case size
            case quartiles
            case measurements
        }
    }

    private struct File: Encodable {
        let context: [String: String] = [:]
        let benchmarks: [Entry]
    }

    private var entries: [Entry] = []

    /// - Parameters:
    ///   - bytes: The growth of resident memory.
    ///   - allocatedBytes: The bytes allocated by malloc.
    ///   - times: All measurements, for the plot.
    package mutating func add(
        _ title: String, by implementation: String = "ours", nanoseconds: Int, bytes: Int? = nil,
        allocatedBytes: Int? = nil,
        times: [Int]? = nil
    ) {
        entries.append(
            Entry(
                name: "\(title)/\(implementation)", realTime: Double(nanoseconds), bytes: bytes,
                allocatedBytes: allocatedBytes, times: times?.map(Double.init)))
    }

    /// Adds a case that is measured to fractions of a nanosecond.
    ///
    /// - Parameters:
    ///   - times: All measurements, or quantiles of them at equal distances, for the plot.
    ///   - growth: What grows from case to case, and its number in this case.
    package mutating func add(
        _ title: String, by implementation: String = "ours", exactly nanoseconds: Double, times: [Double]? = nil,
        growth: (axis: String, size: Int)? = nil
    ) {
        entries.append(
            Entry(
                name: "\(title)/\(implementation)", realTime: nanoseconds, bytes: nil, allocatedBytes: nil,
                times: times,
                axis: growth?.axis, size: growth?.size))
    }

    /// Adds the median as a case, with all measurements if they are plotted, and from 100 measurements on the 99th
    /// percentile.
    package mutating func add(
        _ title: String, by implementation: String = "ours", _ times: Times, isPlotted: Bool = false
    ) {
        let median = times.quantile(0.5)
        add("\(title)/median", by: implementation, nanoseconds: median, times: isPlotted ? times.all : nil)
        entries[entries.count - 1].quartiles = [0.25, 0.5, 0.75].map(times.quantile)
        entries[entries.count - 1].measurements = times.all.count
        if times.all.count >= 100 { add("\(title)/p99", by: implementation, nanoseconds: times.quantile(0.99)) }
    }

    package func print() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        printLine(String(decoding: try encoder.encode(File(benchmarks: entries)), as: UTF8.self))
    }
}

import Foundation

/// Times of the same thing, in nanoseconds.
package struct Times {
    package init() {}

    package private(set) var all: [Int] = []

    package mutating func add(_ nanoseconds: Int) { all.append(nanoseconds) }

    /// The time that such a part of all does not exceed.
    package func quantile(_ part: Double) -> Int { all.sorted()[Int(part * Double(all.count - 1))] }
}

/// What was measured, in the form of Google Benchmark.
package struct Results {
    package init() {}

    private struct Entry: Encodable {
        let name: String
        let runType = "iteration"
        let realTime: Double
        let timeUnit = "ns"
        let bytes: Int?
        let allocatedBytes: Int?
        let times: [Int]?

        enum CodingKeys: String, CodingKey {
            case name
            case runType = "run_type"
            case realTime = "real_time"
            case timeUnit = "time_unit"
            case bytes = "resultBytes"
            case allocatedBytes
            case times
        }
    }

    private struct File: Encodable {
        let context: [String: String] = [:]
        let benchmarks: [Entry]
    }

    private var entries: [Entry] = []

    /// - Parameters:
    ///   - bytes: What the memory grew by.
    ///   - allocatedBytes: What malloc gave.
    ///   - times: All of them, for a plot.
    package mutating func add(
        _ title: String, by contender: String = "ours", nanoseconds: Int, bytes: Int? = nil, allocatedBytes: Int? = nil,
        times: [Int]? = nil
    ) {
        entries.append(
            Entry(
                name: "\(title)/\(contender)", realTime: Double(nanoseconds), bytes: bytes,
                allocatedBytes: allocatedBytes, times: times))
    }

    /// Median and 99th percentile, a case each; the former with all the times if they are to be plotted.
    package mutating func add(
        _ title: String, by contender: String = "ours", _ times: Times, isPlotted: Bool = false
    ) {
        let median = times.quantile(0.5)
        add("\(title)/median", by: contender, nanoseconds: median, times: isPlotted ? times.all : nil)
        add("\(title)/p99", by: contender, nanoseconds: times.quantile(0.99))
    }

    package func print() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        say(String(decoding: try encoder.encode(File(benchmarks: entries)), as: UTF8.self))
    }
}

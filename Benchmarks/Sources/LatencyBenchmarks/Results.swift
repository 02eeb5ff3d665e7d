import Foundation

/// Times of the same thing, in nanoseconds.
struct Times {
    private var all: [Int] = []

    mutating func add(_ nanoseconds: Int) { all.append(nanoseconds) }

    /// The time that such a part of all does not exceed.
    func quantile(_ part: Double) -> Int { all.sorted()[Int(part * Double(all.count - 1))] }
}

/// What was measured, in the form of Google Benchmark.
struct Results {
    private struct Entry: Encodable {
        let name: String
        let runType = "iteration"
        let realTime: Double
        let timeUnit = "ns"
        let bytes: Int?

        enum CodingKeys: String, CodingKey {
            case name
            case runType = "run_type"
            case realTime = "real_time"
            case timeUnit = "time_unit"
            case bytes = "resultBytes"
        }
    }

    private struct File: Encodable {
        let context: [String: String] = [:]
        let benchmarks: [Entry]
    }

    private var entries: [Entry] = []

    mutating func add(_ title: String, by contender: String = "ours", nanoseconds: Int, bytes: Int? = nil) {
        entries.append(Entry(name: "\(title)/\(contender)", realTime: Double(nanoseconds), bytes: bytes))
    }

    /// Median and 99th percentile, a case each.
    mutating func add(_ title: String, by contender: String = "ours", _ times: Times) {
        add("\(title)/median", by: contender, nanoseconds: times.quantile(0.5))
        add("\(title)/p99", by: contender, nanoseconds: times.quantile(0.99))
    }

    func print() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        say(String(decoding: try encoder.encode(File(benchmarks: entries)), as: UTF8.self))
    }
}

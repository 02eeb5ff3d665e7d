import SessionMirror
import Synchronization

/// Counts requests, and writes all counters in the text format of Prometheus.
final class Metrics: Sendable {
    private struct Key: Hashable {
        let route: String
        let status: Int
    }

    private let requests = Mutex<[Key: Int]>([:])

    func count(_ route: String, _ status: Int) {
        requests.withLock { $0[Key(route: route, status: status), default: 0] += 1 }
    }

    /// - Parameters:
    ///   - active: The number of requests that are being received or answered.
    ///   - files: The counters of each session, by the name of its file.
    func text(_ state: Counters, active: Int, _ files: [(name: String, metrics: MirrorMetrics)]) -> String {
        var text = PrometheusText()
        let requests = requests.withLock { $0 }.sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }
        text.add(
            "liveservice_requests_total", .counter, "Answered requests.",
            requests.map { (["route": $0.key.route, "status": "\($0.key.status)"], Double($0.value)) })
        text.add(
            "liveservice_requests_in_progress", .gauge, "Requests that are being received or answered.",
            [([:], Double(active))])
        text.add(
            "liveservice_hits_total", .counter, "Answers to /, by the name of the service.",
            state.hits.sorted { $0.key < $1.key }.map { (["name": $0.key], Double($0.value)) })
        text.add("liveservice_orders_total", .counter, "Orders, of all services.", [([:], Double(state.orders))])
        for counter in Self.counters {
            text.add(
                "liveservice_file_\(counter.name)", counter.kind, counter.help,
                files.map { (["file": $0.name], counter.value($0.metrics)) })
        }
        return text.text
    }

    private struct Counter {
        let name: String
        let help: String
        let kind: PrometheusText.Kind
        let value: @Sendable (MirrorMetrics) -> Double

        init(
            _ name: String, _ help: String, _ kind: PrometheusText.Kind = .counter,
            _ value: @escaping @Sendable (MirrorMetrics) -> Double
        ) {
            (self.name, self.help, self.kind, self.value) = (name, help, kind, value)
        }
    }

    private static let counters = [
        Counter("loads_total", "Times the file was read.") { Double($0.loads) },
        Counter("reloads_total", "Changes of the file that became a version.") { Double($0.reloads) },
        Counter("rejected_loads_total", "Contents of the file that were rejected.") { Double($0.rejectedLoads) },
        Counter("saves_total", "Times the file was written.") { Double($0.saves) },
        Counter("failed_saves_total", "Times writing the file failed.") { Double($0.failedSaves) },
        Counter("merges_total", "Merges of changes of the service and of others.") { Double($0.merges) },
        Counter("conflicts_total", "Conflicts, restored and reverted values.") { Double($0.conflicts) },
        Counter("overflows_total", "Times the kernel dropped events.") { Double($0.overflows) },
        Counter("slowest_reload_seconds", "The longest reload.", .gauge) { $0.slowestReload / .seconds(1) },
        Counter("slowest_save_seconds", "The longest save.", .gauge) { $0.slowestSave / .seconds(1) },
    ]
}

/// The text format of Prometheus.
struct PrometheusText {
    enum Kind: String {
        case counter, gauge
    }

    private(set) var text = ""

    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: [String: String], Double)]) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for (labels, value) in samples {
            let pairs = labels.sorted { $0.key < $1.key }.map { "\($0)=\"\(Self.escaped($1))\"" }
            let number = value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
            text += "\(name)\(pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") \(number)\n"
        }
    }

    private static func escaped(_ value: String) -> String {
        value.escapingScalars(["\\": "\\\\", "\"": "\\\"", "\n": "\\n"])
    }
}

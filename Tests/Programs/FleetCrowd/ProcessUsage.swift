import CAllocationCount
import DurableFiles
import FoundationEssentials
import Glibc
import LosslessJSON

/// What the process has used so far, and what it holds now.
struct ProcessUsage {
    /// Of all threads, in seconds.
    var processorTime = 0.0
    /// How often a thread has gone to sleep.
    var sleeps = 0
    var allocations = 0
    var residentBytes = 0
    var heapBytes = 0
    var threads = 0
    var descriptors = 0
    var sockets = 0

    static var now: ProcessUsage {
        get throws {
            var (usage, times) = (ProcessUsage(), rusage())
            getrusage(RUSAGE_SELF.rawValue, &times)
            for time in [times.ru_utime, times.ru_stime] {
                usage.processorTime += Double(time.tv_sec) + Double(time.tv_usec) / 1e6
            }
            usage.sleeps = times.ru_nvcsw
            let heap = allocation_count_of_process()
            (usage.allocations, usage.heapBytes) = (Int(heap.allocations), Int(heap.live_bytes))
            let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
            usage.residentBytes = Int(pages)! * Int(getpagesize())
            usage.threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            usage.descriptors = descriptors.count
            usage.sockets = descriptors.count { number in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
                return target?.hasPrefix("socket:") ?? false
            }
            return usage
        }
    }

    var json: JSON {
        [
            "processorTime": .decimal(processorTime), "sleeps": JSON(sleeps), "allocations": JSON(allocations),
            "residentBytes": JSON(residentBytes), "heapBytes": JSON(heapBytes), "threads": JSON(threads),
            "descriptors": JSON(descriptors), "sockets": JSON(sockets),
        ]
    }
}

/// Times in milliseconds.
struct Latencies {
    private let sorted: [Double]

    init(_ times: [Double]) { sorted = times.sorted() }

    private func quantile(_ share: Double) -> Double {
        sorted.isEmpty ? 0 : sorted[Int(Double(sorted.count - 1) * share)]
    }

    var members: [(String, JSON)] {
        [("median", .decimal(quantile(0.5))), ("p99", .decimal(quantile(0.99))), ("last", .decimal(quantile(1)))]
    }
}

extension JSON {
    /// A number with three decimals.
    static func decimal(_ value: Double) -> JSON { JSON((value * 1_000).rounded() / 1_000) ?? .null }
}

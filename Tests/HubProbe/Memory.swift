import CAllocationCount
import DurableFiles
import Glibc

/// How much memory this process has, in bytes. Asking for it begins to count what malloc gives.
struct Memory {
    let resident: Int
    /// What malloc has given since it is counted and has not got back; 0 where a sanitizer brings its own.
    let allocated: Int

    static var now: Memory {
        allocation_count_set_enabled(true)
        return Memory(resident: residentBytes, allocated: Int(allocation_count_of_process().live_bytes))
    }

    /// What is timed does not pay for counting from now on.
    static func stopCounting() { allocation_count_set_enabled(false) }

    /// From where the kernel counts pages one by one: the numbers in `statm` may be off by dozens.
    private static var residentBytes: Int {
        let bytes = (try? DurableFile("/proc/self/smaps_rollup").read(limit: 1 << 16).bytes) ?? []
        let line = bytes.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: Array("Rss:".utf8)) } ?? []
        // Rss:             7132 kB
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        return words.count > 1 ? 1_024 * (Int(words[1]) ?? 0) : 0
    }
}

/// CLOCK_MONOTONIC in nanoseconds: the same for all processes.
func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

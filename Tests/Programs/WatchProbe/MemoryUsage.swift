import CAllocationCount
import DurableFiles

/// The memory usage of this process, in bytes. The first query starts counting the allocations.
struct MemoryUsage {
    let resident: Int
    /// The bytes allocated and not freed since counting started; 0 with a sanitizer, which replaces malloc itself.
    let allocated: Int

    static var now: MemoryUsage {
        allocation_count_set_enabled(true)
        return MemoryUsage(resident: residentBytes, allocated: Int(allocation_count_of_process().live_bytes))
    }

    /// Stops counting, so that it does not affect time measurements.
    static func stopCounting() { allocation_count_set_enabled(false) }

    /// Reads the file where the kernel counts each page; the numbers in `statm` may be off by dozens of pages.
    private static var residentBytes: Int {
        let bytes = (try? DurableFile("/proc/self/smaps_rollup").read(limit: 1 << 16).bytes) ?? []
        let line = bytes.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: Array("Rss:".utf8)) } ?? []
        // Rss:             7132 kB
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        return words.count > 1 ? 1_024 * (Int(words[1]) ?? 0) : 0
    }
}

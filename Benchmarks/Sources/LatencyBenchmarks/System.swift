import Glibc

/// CLOCK_MONOTONIC in nanoseconds: the same for all processes.
func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Writes a line at once.
func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    guard write(1, bytes, bytes.count) == bytes.count else { exit(1) }
}

func fail(_ message: String) -> Never {
    let bytes = Array("LatencyBenchmarks: \(message)\n".utf8)
    _ = write(2, bytes, bytes.count)
    exit(1)
}

/// The result of a system call that must not fail.
func must<Result: SignedInteger>(_ what: String, _ result: Result) -> Result {
    if result < 0 { fail("\(what): \(String(cString: strerror(errno)))") }
    return result
}

/// How many bytes of memory this process occupies.
func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { fail("no /proc/self/statm") }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    fgets(&line, Int32(line.count), file)
    let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self).split(separator: " ")
    return Int(words[1])! * Int(getpagesize())
}

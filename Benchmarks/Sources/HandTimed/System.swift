import Glibc

/// CLOCK_MONOTONIC in nanoseconds: the same for all processes.
package func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Writes a line at once.
package func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    guard write(1, bytes, bytes.count) == bytes.count else { exit(1) }
}

package func fail(_ message: String) -> Never {
    let bytes = Array("\(CommandLine.arguments[0]): \(message)\n".utf8)
    _ = write(2, bytes, bytes.count)
    exit(1)
}

/// The result of a system call that must not fail.
package func must<Result: SignedInteger>(_ what: String, _ result: Result) -> Result {
    if result < 0 { fail("\(what): \(String(cString: strerror(errno)))") }
    return result
}

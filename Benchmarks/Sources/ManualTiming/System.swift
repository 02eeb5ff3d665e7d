import Glibc

/// CLOCK_MONOTONIC in nanoseconds, which all processes share.
package func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Sleeps until an instant of that clock.
package func sleep(until moment: Int) {
    var time = timespec(tv_sec: moment / 1_000_000_000, tv_nsec: moment % 1_000_000_000)
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
}

/// Prints a line without buffering.
package func printLine(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    guard write(1, bytes, bytes.count) == bytes.count else { exit(1) }
}

package func fail(_ message: String) -> Never {
    let bytes = Array("\(CommandLine.arguments[0]): \(message)\n".utf8)
    _ = write(2, bytes, bytes.count)
    exit(1)
}

/// Returns the result of a system call; exits with an error if the call failed.
package func check<Result: SignedInteger>(_ what: String, _ result: Result) -> Result {
    if result < 0 { fail("\(what): \(String(cString: strerror(errno)))") }
    return result
}

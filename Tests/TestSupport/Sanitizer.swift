import Glibc

/// The sanitizer that the tests were built with, if any.
package enum Sanitizer {
    /// Whether there is one. A sanitizer has its own threads and needs several times the memory.
    package static let isActive = findsRaces || symbol("__asan_init") != nil
    /// Whether it is the thread sanitizer, which does not support a forked child of a process with threads.
    package static let findsRaces = symbol("__tsan_init") != nil

    /// Whether the leak sanitizer finds unreachable memory now, which includes memory held only by references that it
    /// does not understand; false without a leak sanitizer.
    package static var findsLeaks: Bool {
        guard let symbol = symbol("__lsan_do_recoverable_leak_check") else { return false }
        return unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)() != 0
    }

    private static func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(nil, name) }
}

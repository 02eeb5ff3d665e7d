import Glibc

/// What the sanitizer that the tests were built with, if any, is asked or makes different.
package enum Sanitizer {
    /// Whether there is one: it has threads of its own, and takes a multiple of the memory.
    package static let isAtWork = symbol("__tsan_init") != nil || symbol("__asan_init") != nil

    /// Whether the leak sanitizer finds memory now that nobody refers to any more, or is held by a reference that it does
    /// not understand; false where there is none.
    package static var findsLeaks: Bool {
        guard let symbol = symbol("__lsan_do_recoverable_leak_check") else { return false }
        return unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)() != 0
    }

    private static func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(nil, name) }
}

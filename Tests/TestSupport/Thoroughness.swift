import Glibc

/// The depth of exhaustive and random tests of pure code.
package enum Thoroughness {
    /// Whether they run in full. False in debug builds and under a sanitizer, where each step costs many times as much.
    package static let isFull: Bool = {
        #if DEBUG
        false
        #else
        !Sanitizer.isActive
        #endif
    }()

    /// The number of random edits, as `make torture-edits` sets it for all tests that ask here.
    package static func edits(inFull full: Int, otherwise: Int) -> Int {
        environmentNumber("SESSIONMIRROR_EDITS") ?? (isFull ? full : otherwise)
    }

    /// The length up to which all sequences of events are enumerated, as `make torture-state` sets it.
    package static let longest = environmentNumber("SESSIONMIRROR_ORDERS")
}

/// The number in an environment variable that sets the amount of work of a test; nil if there is none.
package func environmentNumber(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

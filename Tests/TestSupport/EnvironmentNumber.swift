import Glibc

/// The number in an environment variable that sets the amount of work of a test; nil if there is none.
package func environmentNumber(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

import Glibc

/// A failure of the test environment: a system call failed, a program is missing or silent, a scenario is malformed.
package struct TestSupportError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    /// The error of the last system call, from `errno`.
    static func last(_ what: String) -> TestSupportError {
        TestSupportError("\(what): \(String(cString: strerror(errno)))")
    }
}

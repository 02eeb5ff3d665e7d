import Glibc

/// What the system did not let a test do.
package struct SystemRefusal: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    /// The error number that a call has just left, in words.
    static func last(_ what: String) -> SystemRefusal { SystemRefusal("\(what): \(String(cString: strerror(errno)))") }
}

import Foundation
import Glibc

/// A temporary directory, removed with its contents on release. On a disk by default.
package final class TemporaryFolder {
    package let path: String

    package init(in parent: String = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp") {
        var template = Array("\(parent)/SessionMirror-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fail("mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The parent for directories in memory if the system has one. A disk that writes its journal causes interrupts
    /// during the measurement.
    package static var memory: String { access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory() }

    package func path(of name: String) -> String { "\(path)/\(name)" }

    /// Creates a directory in it and returns its path.
    package func newFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path(of: name), withIntermediateDirectories: true)
        return path(of: name)
    }
}

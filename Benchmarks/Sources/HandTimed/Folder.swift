import Foundation
import Glibc

/// A temporary folder on a disk, removed with what is in it when it is released.
package final class Folder {
    package let path: String

    package init() {
        var template = Array(
            "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp")/SessionMirror-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fail("mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func path(of name: String) -> String { "\(path)/\(name)" }
}

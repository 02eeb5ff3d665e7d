import Foundation
import Glibc

/// A temporary folder, on a disk unless said otherwise, removed with what is in it when it is released.
package final class Folder {
    package let path: String

    package init(in parent: String = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp") {
        var template = Array("\(parent)/SessionMirror-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fail("mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func path(of name: String) -> String { "\(path)/\(name)" }
}

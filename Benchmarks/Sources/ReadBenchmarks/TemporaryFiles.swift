import Foundation
import Glibc

/// The directory for files of this program, removed at exit.
enum TemporaryFiles {
    static let folder: String = {
        var template = Array("/tmp/read-benchmarks.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("no folder for the files") }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // UserDefaults writes there.
        setenv("HOME", path, 1)
        atexit { try? FileManager.default.removeItem(atPath: TemporaryFiles.folder) }
        return path
    }()

    static func userDefaults() -> UserDefaults {
        _ = folder
        return UserDefaults(suiteName: "benchmarks")!
    }
}

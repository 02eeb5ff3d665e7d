import Foundation

/// A temporary folder, removed with what is in it when it is released.
final class Folder {
    let path: String

    init() throws {
        path = "\(NSTemporaryDirectory())/SessionMirror-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a new folder in it.
    func newFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
        return "\(path)/\(name)"
    }
}

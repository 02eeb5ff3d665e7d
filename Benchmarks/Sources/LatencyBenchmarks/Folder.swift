import Foundation

/// A temporary folder, removed with what is in it when it is released. It is in memory where the system has a place for
/// that: a disk that writes its journal interrupts whoever is being measured.
final class Folder {
    let path: String

    init() throws {
        path = "\(Folder.place)/SessionMirror-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    private static var place: String {
        access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a new folder in it.
    func newFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
        return "\(path)/\(name)"
    }
}

import ManualTiming

/// The directory of the files, in memory: the system calls of a replacement depend on the file system.
enum WorkingFolder {
    // Removed by `remove()`, because static values are not released at exit.
    nonisolated(unsafe) private static var folder: TemporaryFolder? = TemporaryFolder(in: TemporaryFolder.memory)
    static let path = folder!.path

    static func path(of name: String) -> String { "\(path)/\(name)" }

    static func remove() { folder = nil }
}

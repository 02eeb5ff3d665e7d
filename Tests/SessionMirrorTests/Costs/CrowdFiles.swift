import TestSupport

/// The files of many sessions, distributed over several directories, and the list of their paths for the probe.
struct CrowdFiles {
    let folder: TemporaryFolder
    private let folders: Int

    init(_ count: Int, folders: Int) throws {
        folder = try TemporaryFolder()
        self.folders = folders
        for number in 0..<folders { try folder.createFolder("\(number)") }
        for file in 0..<count { try folder.write(name(file), Self.content(file, number: file)) }
        try folder.write("list", (0..<count).map { "\(folder.path(of: name($0)))\n" }.joined())
    }

    /// Replaces a file with another number.
    func replace(_ file: Int, with number: Int) throws {
        try folder.write("new", Self.content(file, number: number))
        try folder.rename("new", to: name(file))
    }

    private func name(_ file: Int) -> String { "\(file % folders)/tenant-\(file).json" }

    private static func content(_ file: Int, number: Int) -> String {
        """
        {
          "number": \(number),
          "name": "the tenant of file \(file)",
          // Room for more than most of them need.
          "limits": { "requests": 250, "burst": 25 }
        }

        """
    }
}

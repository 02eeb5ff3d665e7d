internal import Glibc

/// Where a path leads: a folder, open, and a name in it that is no symbolic link.
///
/// All that is done to names is done in that folder, wherever it is moved and whatever takes its path meanwhile.
struct Place<Calls: FileCalls>: ~Copyable {
    /// As the caller gave it.
    let path: String
    var folder: OpenFile<Calls>
    let name: String
    /// The path of the folder, with a slash at its end, or nothing for the working directory.
    let folderPath: String
    let calls: Calls
    /// A folder that may be written to but not listed has no lock and cannot be waited for.
    let isListable: Bool

    /// Of a file in the same folder, for people.
    func path(of name: String) -> String { folderPath + name }
}

extension Place {
    /// Follows the symbolic links at the end of the path, also where the last one leads to nothing yet.
    static func find(_ path: String, createsFolders: Bool, calls: Calls) throws(FileError) -> Place {
        var (rest, folderPath) = (path, "")
        var base: OpenFile<Calls>?
        var way = FolderWay(path: path, createsFolders: createsFolders, calls: calls)
        while true {
            let parts = try Parts(rest, of: path)
            folderPath = parts.folderPath(from: folderPath)
            let folder = try way.open(parts.folder, from: base?.descriptor ?? AT_FDCWD)
            guard let target = try way.follow(parts.name, in: folder)?.text else {
                return Place(
                    path: path, folder: folder, name: parts.name, folderPath: folderPath, calls: calls,
                    isListable: way.isListable)
            }
            rest = target
            base = consume folder
        }
    }
}

/// The two parts of a path.
struct Parts {
    let folder: String
    let name: String

    /// Refuses what only a folder can be called.
    init(_ path: String, of given: String) throws(FileError) {
        self.init(path)
        if path.isEmpty { throw FileError(ErrorNumber(ENOENT), given, .open) }
        if ["", ".", ".."].contains(name) { throw FileError(.directory, given, .open) }
    }

    init(_ path: String) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// Of a path that begins in `base`.
    func folderPath(from base: String) -> String {
        switch folder {
        case "/": "/"
        case ".": base
        default: folder.hasPrefix("/") ? "\(folder)/" : "\(base)\(folder)/"
        }
    }
}

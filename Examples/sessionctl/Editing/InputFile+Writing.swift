import FoundationEssentials
import Glibc
import VisibleText

extension InputFile {
    /// Throws if the file, which exists, is write-protected. A save fails then, though the directory allows a new file.
    func requireWritable() throws(Failure) {
        if access(name, W_OK) != 0 { throw systemError(errno, "write permission for the file") }
    }

    /// Throws if the file, which is missing, could not be created.
    ///
    /// - Parameter createsDirectories: Whether missing directories are created, too.
    func requireCreatable(createsDirectories: Bool = false, _ advice: String = Failure.mkdirAdvice) throws(Failure) {
        if name.isEmpty || name.hasSuffix("/") { throw .systemError(title, errorNumber: ENOENT) }
        var directory = InputFile.directory(of: name)
        var status = stat()
        while stat(directory, &status) != 0 {
            if errno != ENOENT { throw .systemError(title, errorNumber: errno) }
            if !createsDirectories {
                let missing = InputFile.absolute(directory).visible
                throw .systemError("\(title): The directory \(missing) does not exist; \(advice)")
            }
            directory = InputFile.directory(of: directory)
        }
        if status.st_mode & S_IFMT != S_IFDIR { throw .systemError(title, errorNumber: ENOTDIR) }
        if access(directory, W_OK | X_OK) != 0 {
            throw systemError(errno, "write permission for the directory \(InputFile.absolute(directory).visible)")
        }
    }

    private func systemError(_ errorNumber: Int32, _ permission: String) -> Failure {
        let advice = errorNumber == EACCES ? "; user \(geteuid()) needs \(permission), see chmod and chown" : ""
        return .systemError("\(title): \(String(cString: strerror(errorNumber)))\(advice)")
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    /// The directory that a path names, without slashes at its end; `.` if there is none.
    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        var result = path[..<slash]
        while result.last == "/" { result.removeLast() }
        return result.isEmpty ? "/" : String(result)
    }
}

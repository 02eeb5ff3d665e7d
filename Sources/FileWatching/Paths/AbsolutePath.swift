internal import Glibc

/// Conversion of paths to absolute ones.
package enum AbsolutePath {
    /// Returns `path` as an absolute path, so that later changes of the working directory do not affect it.
    ///
    /// - Throws: A ``FileWatchError`` if the path is empty, too long or contains a NUL, or if it is relative and the
    ///   working directory cannot be determined.
    package static func of(_ path: String) throws(FileWatchError) -> String {
        guard !path.isEmpty else { throw FileWatchError(path, .invalidPath("the path is empty")) }
        guard !path.utf8.contains(0) else { throw FileWatchError(path, .invalidPath("the path contains a NUL")) }
        let result = path.utf8.first == UInt8(ascii: "/") ? path : try workingDirectory(for: path) + "/" + path
        guard result.utf8.count < Int(PATH_MAX) else {
            throw FileWatchError(path, .invalidPath("the path is longer than \(PATH_MAX - 1) bytes"))
        }
        return result
    }

    private static func workingDirectory(for path: String) throws(FileWatchError) -> String {
        guard let directory = getcwd(nil, 0) else {
            let error = SystemError(number: errno)
            throw FileWatchError(path, .system(error, "the path is relative, and getting the working directory failed"))
        }
        defer { free(directory) }
        guard let text = String(validatingCString: directory) else {
            throw FileWatchError(path, .invalidPath("the path is relative, and the working directory is not UTF-8"))
        }
        return text
    }
}

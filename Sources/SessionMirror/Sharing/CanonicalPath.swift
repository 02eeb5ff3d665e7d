internal import Glibc

/// The one path of a file that several paths lead to.
enum CanonicalPath {
    /// Resolves the symbolic links in the existing part of a path.
    static func of(_ path: String) -> String {
        var existing = path
        var missing = ""
        while !existing.isEmpty {
            if let resolved = realpath(existing, nil) {
                defer { free(resolved) }
                let directory = String(cString: resolved)
                return directory == "/" ? "/" + missing.dropFirst() : directory + missing
            }
            guard let slash = existing.lastIndex(of: "/") else { break }
            missing = existing[slash...] + missing
            existing = String(existing[..<slash])
        }
        // Of a path without an existing directory, either the beginning or the working directory is the root.
        guard path.utf8.first != UInt8(ascii: "/"), let directory = realpath(".", nil) else { return path }
        defer { free(directory) }
        return String(cString: directory) + "/" + path
    }
}

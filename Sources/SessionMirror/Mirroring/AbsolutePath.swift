internal import Glibc

extension String {
    /// This path from the root of the file system, so that a program may go to another folder later.
    var absolutePath: String {
        if hasPrefix("/") || isEmpty { return self }
        // Without a current folder there is nothing to make of it; whoever uses the path finds out.
        guard let folder = getcwd(nil, 0) else { return self }
        defer { free(folder) }
        return String(cString: folder) + "/" + self
    }
}

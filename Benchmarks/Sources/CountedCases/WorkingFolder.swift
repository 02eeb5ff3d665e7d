import Glibc

/// The directory of the files, in memory: the system calls of a replacement depend on the file system.
enum WorkingFolder {
    static let path: String = {
        var template = Array("/dev/shm/counted-cases.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fail("mkdtemp in /dev/shm") }
        return String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    }()

    static func path(of name: String) -> String { "\(path)/\(name)" }

    /// Replaces a file as an editor does.
    static func replace(_ file: String, with bytes: [UInt8]) {
        let new = file + ".new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard write(descriptor, bytes, bytes.count) == bytes.count, close(descriptor) == 0, rename(new, file) == 0
        else {
            fail("replacing \(file)")
        }
    }

    /// Removes the directory and its files.
    static func remove() {
        guard let folder = opendir(path) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            unlink(self.path(of: name))
        }
        rmdir(path)
    }

    private static func fail(_ what: String) -> Never {
        let text = "CountedCases: \(what): \(String(cString: strerror(errno)))\n"
        _ = write(STDERR_FILENO, text, text.utf8.count)
        exit(1)
    }
}

import Glibc

/// Opens and reads file descriptors for tests. All are close-on-exec.
package enum Descriptor {
    package static func open(_ path: String, _ flags: Int32) throws -> Int32 {
        let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TestSupportError.last(path) }
        return descriptor
    }

    /// Reads a whole file. Use it for /proc, where files disappear while they are read: Foundation leaks then.
    package static func contents(of path: String) throws -> [UInt8] {
        let descriptor = try open(path, O_RDONLY)
        defer { close(descriptor) }
        return try read(descriptor)
    }

    /// Opens an empty unnamed file.
    package static func newFile() throws -> Int32 {
        let name = newName()
        defer { unlink(name) }
        return try open(name, O_RDWR | O_CREAT | O_EXCL)
    }

    /// Opens a pipe with a nonblocking reader.
    ///
    /// Made from a FIFO that is unlinked at once: Swift's Glibc lacks `pipe2`, and a process that another test starts
    /// could inherit descriptors from `pipe`.
    package static func newPipe() throws -> (reader: Int32, writer: Int32) {
        let name = newName()
        guard mkfifo(name, 0o600) == 0 else { throw TestSupportError.last("mkfifo \(name)") }
        defer { unlink(name) }
        let reader = try open(name, O_RDONLY | O_NONBLOCK)
        return (reader, try open(name, O_WRONLY))
    }

    private static func newName() -> String {
        "\(TemporaryFolder.defaultParent)/SessionMirror-\(getpid())-\(UInt64.random(in: .min ... .max))"
    }

    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw TestSupportError.last("write")
            }
        }
    }

    /// Reads the whole file from offset 0.
    static func read(_ descriptor: Int32) throws -> [UInt8] {
        var result: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = pread(descriptor, &part, part.count, off_t(result.count))
            if count == 0 { return result }
            if count > 0 {
                result.append(contentsOf: part.prefix(count))
            } else if errno != EINTR {
                throw TestSupportError.last("read")
            }
        }
    }
}

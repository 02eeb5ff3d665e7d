internal import Glibc

/// A file that the kernel makes up while it is read.
enum ProcFile {
    /// Its text; empty where there is none, or it may not be read.
    static func read(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        return String(decoding: read(descriptor), as: UTF8.self)
    }

    /// What is left to read.
    static func read(_ descriptor: Int32) -> [UInt8] {
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while case let count = Glibc.read(descriptor, &part, part.count), count > 0 { text += part.prefix(count) }
        return text
    }
}

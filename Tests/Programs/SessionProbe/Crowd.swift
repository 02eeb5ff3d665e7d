import FileScripts
import Glibc

/// The files of many sessions.
enum Crowd {
    /// The content of each file.
    struct Tenant: Codable, Sendable {
        var number = 0
        var name = ""
        var limits = Limits()

        struct Limits: Codable, Sendable {
            var requests = 100
            var burst = 10
        }
    }

    /// Reads a list of paths, one per line.
    static func paths(listedIn path: String) throws -> [String] {
        guard let file = fopen(path, "r") else { fail("\(path): \(String(cString: strerror(errno)))") }
        defer { fclose(file) }
        var paths: [String] = []
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while case let count = getline(&line, &capacity, file), count > 0, let line {
            paths.append(String(decoding: UnsafeRawBufferPointer(start: line, count: count - 1), as: UTF8.self))
        }
        return paths
    }
}

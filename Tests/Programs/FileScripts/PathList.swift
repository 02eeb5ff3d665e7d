import Glibc

/// A file with one path per line.
package enum PathList {
    /// Reads line by line, so that little freed memory remains: tests then measure the memory of the process.
    package static func read(_ path: String) -> [String] {
        guard let file = fopen(path, "r") else { fail("\(path): \(String(cString: strerror(errno)))") }
        defer { fclose(file) }
        var paths: [String] = []
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while case let count = getline(&line, &capacity, file), count > 0, let line {
            let bytes = UnsafeRawBufferPointer(start: line, count: count)
            paths.append(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
        }
        return paths
    }
}

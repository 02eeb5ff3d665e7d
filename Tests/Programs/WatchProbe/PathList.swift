import DurableFiles

/// A file with one path per line.
enum PathList {
    static func read(_ path: String) throws -> [String] {
        let bytes = try DurableFile(path).read(limit: 1 << 24).bytes
        return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }
}

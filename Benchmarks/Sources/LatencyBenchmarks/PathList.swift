import Foundation

/// A file with one path a line, for processes that are told of many files.
enum PathList {
    static func read(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    static func write(_ paths: [String], to path: String) throws {
        try paths.joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
    }
}

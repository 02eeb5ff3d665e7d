import Testing

@testable import DurableFiles

@Suite("Paths split into directory and name")
struct SplitPathTests {
    private static let paths: [(path: String, directory: String, directoryPath: String, name: String)] = [
        ("/a/b/name", "/a/b", "/a/b/", "name"),
        ("/name", "/", "/", "name"),
        ("//a//name", "//a/", "//a//", "name"),
        ("name", ".", "", "name"),
        ("./name", ".", "./", "name"),
        ("ä/../ñame", "ä/..", "ä/../", "ñame"),
    ]

    @Test("The directory and the name of a path", arguments: paths)
    func parts(path: String, directory: String, directoryPath: String, name: String) {
        let parts = SplitPath(path)
        #expect(parts.directory == directory && parts.directoryPath == directoryPath && parts.name == name)
        #expect(parts.isAbsolute == path.hasPrefix("/"))
    }

    /// A name of more bytes than a string holds without an allocation.
    private static let long = String(repeating: "long", count: 50)
    private static let visits: [(path: String, directories: [String])] = [
        ("/a/b/name", ["/", "/a", "/a/b"]),
        ("/name", ["/"]),
        ("//a//name", ["/", "//a"]),
        ("name", ["."]),
        ("ä/../ñame", [".", "ä", "ä/.."]),
        ("/\(long)/b/name", ["/", "/\(long)", "/\(long)/b"]),
    ]

    @Test("The directories that a path visits, up to the first that is not wanted", arguments: visits)
    func directories(path: String, directories: [String]) {
        for wanted in 0...directories.count {
            var visited: [String] = []
            let result = SplitPath(path).allDirectories { directory in
                visited.append(String(cString: directory))
                return visited.count <= wanted
            }
            #expect(result == (wanted == directories.count))
            #expect(visited == Array(directories.prefix(wanted + 1)))
        }
    }
}

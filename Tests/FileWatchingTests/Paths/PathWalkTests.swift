import Glibc
import Testing

@testable import FileWatching

@Suite struct PathWalkTests {
    private typealias Entries = [String: FakeFileSystem.Entry]

    /// Walks along a path and returns how the walk ended and which paths it looked up.
    private func walk(_ path: String, _ entries: Entries) -> (end: String, lookups: [String]) {
        var system = FakeFileSystem(entries)
        var walk = PathWalk(path)
        let end =
            switch walk.run(in: &system) {
            case .file(let inode, let name, let directory):
                "\(directory)#\(name)\(inode == system.inode(text(name, directory)) ? "" : " of another inode")"
            case .notAFile: "not a file"
            case .missing(let isLast): isLast ? "missing at the end" : "missing on the way"
            case .tooManyLinks: "too many links"
            case .external(let isLast): isLast ? "external at the end" : "external on the way"
            case .unknown(let error): "unknown \(error)"
            }
        return (end, system.lookups)
    }

    private func text(_ name: FileName, _ directory: ResolvedDirectory) -> String {
        String(decoding: directory.path(of: name).dropLast(), as: UTF8.self)
    }

    @Test("A path walk looks up every component in its parent directory, in order")
    func everyComponent() {
        let (end, lookups) = walk("/etc/app/a.json", ["/etc": .folder, "/etc/app": .folder, "/etc/app/a.json": .file])
        #expect(end == "/etc/app#a.json")
        #expect(lookups == ["/etc", "/etc/app", "/etc/app/a.json"])
    }

    @Test("A path walk ends at a missing component")
    func missing() {
        #expect(walk("/etc/app/a.json", ["/etc": .folder]) == ("missing on the way", ["/etc", "/etc/app"]))
        #expect(walk("/etc/a.json", ["/etc": .folder]) == ("missing at the end", ["/etc", "/etc/a.json"]))
        #expect(walk("/a", [:]) == ("missing at the end", ["/a"]))
    }

    @Test("A relative link continues in its directory, an absolute one at the root")
    func links() {
        let entries: Entries = [
            "/a": .folder, "/a/near": .link("b/c.json"), "/a/b": .folder, "/a/b/c.json": .file, "/far": .link("/a/b"),
        ]
        #expect(walk("/a/near", entries) == ("/a/b#c.json", ["/a", "/a/near", "/a/b", "/a/b/c.json"]))
        #expect(walk("/far/c.json", entries) == ("/a/b#c.json", ["/far", "/a", "/a/b", "/a/b/c.json"]))
    }

    @Test("A path walk follows links to links to the end")
    func chain() {
        let entries: Entries = [
            "/m": .folder, "/m/a.json": .link("..data/a.json"), "/m/..data": .link("..1"), "/m/..1": .folder,
            "/m/..1/a.json": .file,
        ]
        let (end, lookups) = walk("/m/a.json", entries)
        #expect(end == "/m/..1#a.json")
        #expect(lookups == ["/m", "/m/a.json", "/m/..data", "/m/..1", "/m/..1/a.json"])
    }

    @Test("The missing target of a link is looked up")
    func dangling() {
        let entries: Entries = ["/a": .folder, "/a/l": .link("../b/c"), "/b": .folder]
        #expect(walk("/a/l", entries) == ("missing at the end", ["/a", "/a/l", "/b", "/b/c"]))
    }

    @Test("A path walk follows forty links, and one more is too many", arguments: [(40, true), (41, false)])
    func maximumLinks(count: Int, isFound: Bool) {
        var entries: Entries = ["/0": .file]
        for number in 1...count { entries["/\(number)"] = .link("\(number - 1)") }
        let (end, lookups) = walk("/\(count)", entries)
        #expect(end == (isFound ? "/#0" : "too many links"))
        #expect(lookups.count == 41)
    }

    @Test("A link to itself ends a path walk")
    func loop() {
        let (end, lookups) = walk("/l/x", ["/l": .link("l")])
        #expect(end == "too many links")
        #expect(Set(lookups) == ["/l"])
    }

    @Test("Two dots lead to the real parent directory, also after a link")
    func dots() {
        let entries: Entries = [
            "/a": .folder, "/a/b": .folder, "/l": .link("a/b"), "/a/c": .file, "/c": .file,
        ]
        #expect(walk("/l/../c", entries).end == "/a#c")
        #expect(walk("/a/b/../../c", entries).end == "/#c")
        #expect(walk("/../../c", entries).end == "/#c")
        #expect(walk("/a/./b/.././c", entries).end == "/a#c")
    }

    @Test("Two dots after a missing directory do not make it exist")
    func dotsAfterMissing() {
        #expect(walk("/no/../c", ["/c": .file]) == ("missing on the way", ["/no"]))
        #expect(walk("/f/../c", ["/f": .file, "/c": .file]) == ("missing on the way", ["/f"]))
    }

    @Test("Consecutive slashes count as one")
    func slashes() {
        #expect(walk("//a///b", ["/a": .folder, "/a/b": .file]) == ("/a#b", ["/a", "/a/b"]))
    }

    @Test("A trailing slash or dot requires a directory", arguments: ["/f/", "/f/.", "/l"])
    func trailingSlash(path: String) {
        #expect(walk(path, ["/f": .file, "/l": .link("f/")]).end == "missing on the way")
    }

    @Test("A path that ends at a directory or a FIFO leads to no file", arguments: ["/d", "/d/", "/p", "/", "/d/.."])
    func notFiles(path: String) {
        #expect(walk(path, ["/d": .folder, "/p": .fifo]).end == "not a file")
    }

    @Test("A path walk looks up nothing below a file or a FIFO")
    func belowFiles() {
        #expect(walk("/f/x", ["/f": .file]) == ("missing on the way", ["/f"]))
        #expect(walk("/p/x", ["/p": .fifo]) == ("missing on the way", ["/p"]))
    }

    @Test("A failed lookup ends a path walk with the error")
    func unknown() {
        let entries: Entries = ["/d": .folder, "/d/x": .locked(EACCES)]
        #expect(walk("/d/x/y", entries) == ("unknown \(EACCES)", ["/d", "/d/x"]))
    }
}

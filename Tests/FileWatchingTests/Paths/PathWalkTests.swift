import Glibc
import Testing

@testable import FileWatching

@Suite struct PathWalkTests {
    private typealias Things = [String: ImaginedFileSystem.Thing]

    /// Walks, and tells how it ended and which places it passed.
    private func walk(_ path: String, _ things: Things) -> (end: String, places: [String]) {
        var system = ImaginedFileSystem(things)
        var walk = PathWalk(path)
        let end =
            switch walk.run(in: &system) {
            case .file(let inode, let name, let directory):
                "\(directory)#\(name)\(inode == system.inode(text(name, directory)) ? "" : " of another inode")"
            case .notAFile: "not a file"
            case .missing(let isLast): isLast ? "missing at the end" : "missing on the way"
            case .tooManyLinks: "too many links"
            case .foreign(let isLast): isLast ? "foreign at the end" : "foreign on the way"
            case .unknown(let error): "unknown \(error)"
            }
        return (end, system.asked)
    }

    private func text(_ name: FileName, _ directory: Directory) -> String {
        String(decoding: directory.path(of: name).dropLast(), as: UTF8.self)
    }

    @Test("every component is looked for in the directory that holds it, in order")
    func everyComponent() {
        let (end, places) = walk("/etc/app/a.json", ["/etc": .folder, "/etc/app": .folder, "/etc/app/a.json": .file])
        #expect(end == "/etc/app#a.json")
        #expect(places == ["/etc", "/etc/app", "/etc/app/a.json"])
    }

    @Test("where something is missing, the walk ends at the place where it would appear")
    func missing() {
        #expect(walk("/etc/app/a.json", ["/etc": .folder]) == ("missing on the way", ["/etc", "/etc/app"]))
        #expect(walk("/etc/a.json", ["/etc": .folder]) == ("missing at the end", ["/etc", "/etc/a.json"]))
        #expect(walk("/a", [:]) == ("missing at the end", ["/a"]))
    }

    @Test("a relative link continues where it stands, an absolute one at the root")
    func links() {
        let things: Things = [
            "/a": .folder, "/a/near": .link("b/c.json"), "/a/b": .folder, "/a/b/c.json": .file, "/far": .link("/a/b"),
        ]
        #expect(walk("/a/near", things) == ("/a/b#c.json", ["/a", "/a/near", "/a/b", "/a/b/c.json"]))
        #expect(walk("/far/c.json", things) == ("/a/b#c.json", ["/far", "/a", "/a/b", "/a/b/c.json"]))
    }

    @Test("links to links are followed to the end")
    func chain() {
        let things: Things = [
            "/m": .folder, "/m/a.json": .link("..data/a.json"), "/m/..data": .link("..1"), "/m/..1": .folder,
            "/m/..1/a.json": .file,
        ]
        let (end, places) = walk("/m/a.json", things)
        #expect(end == "/m/..1#a.json")
        #expect(places == ["/m", "/m/a.json", "/m/..data", "/m/..1", "/m/..1/a.json"])
    }

    @Test("of a link that leads nowhere, the place where its target would appear is passed")
    func dangling() {
        let things: Things = ["/a": .folder, "/a/l": .link("../b/c"), "/b": .folder]
        #expect(walk("/a/l", things) == ("missing at the end", ["/a", "/a/l", "/b", "/b/c"]))
    }

    @Test("forty links are followed, and one more is too many", arguments: [(40, true), (41, false)])
    func mostLinks(count: Int, isFound: Bool) {
        var things: Things = ["/0": .file]
        for number in 1...count { things["/\(number)"] = .link("\(number - 1)") }
        let (end, places) = walk("/\(count)", things)
        #expect(end == (isFound ? "/#0" : "too many links"))
        #expect(places.count == 41)
    }

    @Test("a link to itself ends, with its place passed")
    func loop() {
        let (end, places) = walk("/l/x", ["/l": .link("l")])
        #expect(end == "too many links")
        #expect(Set(places) == ["/l"])
    }

    @Test("two dots lead to the directory that is really above, also behind a link")
    func dots() {
        let things: Things = [
            "/a": .folder, "/a/b": .folder, "/l": .link("a/b"), "/a/c": .file, "/c": .file,
        ]
        #expect(walk("/l/../c", things).end == "/a#c")
        #expect(walk("/a/b/../../c", things).end == "/#c")
        #expect(walk("/../../c", things).end == "/#c")
        #expect(walk("/a/./b/.././c", things).end == "/a#c")
    }

    @Test("a missing directory is missing, whatever the dots behind it say")
    func dotsBehindNothing() {
        #expect(walk("/no/../c", ["/c": .file]) == ("missing on the way", ["/no"]))
        #expect(walk("/f/../c", ["/f": .file, "/c": .file]) == ("missing on the way", ["/f"]))
    }

    @Test("several slashes are one")
    func slashes() {
        #expect(walk("//a///b", ["/a": .folder, "/a/b": .file]) == ("/a#b", ["/a", "/a/b"]))
    }

    @Test("a slash or a dot at the end asks for a directory", arguments: ["/f/", "/f/.", "/l"])
    func trailingSlash(path: String) {
        #expect(walk(path, ["/f": .file, "/l": .link("f/")]).end == "missing on the way")
    }

    @Test("directories, FIFOs and the root are no files", arguments: ["/d", "/d/", "/p", "/", "/d/.."])
    func notFiles(path: String) {
        #expect(walk(path, ["/d": .folder, "/p": .fifo]).end == "not a file")
    }

    @Test("nothing is looked for below a file or a FIFO")
    func belowFiles() {
        #expect(walk("/f/x", ["/f": .file]) == ("missing on the way", ["/f"]))
        #expect(walk("/p/x", ["/p": .fifo]) == ("missing on the way", ["/p"]))
    }

    @Test("what cannot be told ends the walk with the error")
    func unknown() {
        let things: Things = ["/d": .folder, "/d/x": .locked(EACCES)]
        #expect(walk("/d/x/y", things) == ("unknown \(EACCES)", ["/d", "/d/x"]))
    }
}

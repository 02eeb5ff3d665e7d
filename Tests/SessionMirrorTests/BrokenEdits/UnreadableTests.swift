import TestSupport
import Testing

@Suite("A file that may not be read", .needs(.setpriv)) struct UnreadableTests {
    /// A way to keep a file from being read, and one to allow it again.
    struct Ban: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let ban: String
        let allow: String
    }

    static let bans = [
        Ban(
            testDescription: "no right to read the file", ban: "chmod 000 s/server.json",
            allow: "chmod 644 s/server.json"),
        Ban(testDescription: "no right to enter the folder", ban: "chmod 644 s", allow: "chmod 755 s"),
        Ban(testDescription: "no right to enter the folder above", ban: "chmod 644 .", allow: "chmod 755 ."),
        Ban(
            testDescription: "another file in its place",
            ban: "put 3 > new; chmod 000 new; mv new s/server.json",
            allow: "put 1 > new; chmod 644 new; mv new s/server.json"),
        Ban(
            testDescription: "another folder in its place",
            ban: "mkdir new; put 3 > new/server.json; chmod 700 new; mv s old; mv new s",
            allow: "mv s new; mv old s"),
    ]

    @Test("it is told once, readers stay on the last good value, and so is the end of it", arguments: bans)
    func ban(_ ban: Ban) throws {
        let stranger = try Stranger()
        try stranger.place.run("mkdir s; chmod 755 s; put 1 > s/server.json; chmod 644 s/server.json")
        let mirror = try stranger.mirror("s/server.json")
        #expect(try mirror.line() == "port 1")
        try stranger.place.run(ban.ban)
        #expect(try mirror.line()?.hasPrefix("problem unreadable s/server.json: error: Permission denied") == true)
        try stranger.place.run(ban.allow)
        #expect(try mirror.line() == "recovered unreadable")
        try stranger.place.run("put 2 > s/server.json")
        #expect(try mirror.line() == "port 2")
        #expect(try mirror.end() == Program.Result(code: 0))
    }

    @Test("one that may not be read at first is served by the defaults until it may", arguments: bans)
    func atFirst(_ ban: Ban) throws {
        let stranger = try Stranger()
        try stranger.place.run("mkdir s; chmod 755 s; put 1 > s/server.json; chmod 644 s/server.json; \(ban.ban)")
        let mirror = try stranger.mirror(stranger.place.folder.path(of: "s/server.json"))
        #expect(try mirror.line() == "port 8080")
        #expect(try mirror.line()?.hasPrefix("problem unreadable \(stranger.place.folder.path)") == true)
        try stranger.place.run(ban.allow)
        let lines = [try mirror.line(), try mirror.line()]
        #expect(Set(lines) == ["port 1", "recovered unreadable"])
        #expect(try mirror.end() == Program.Result(code: 0))
    }
}

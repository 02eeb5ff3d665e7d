import TestSupport
import Testing

@Suite("A file that may not be read", .needs(.setpriv)) struct UnreadableTests {
    /// An edit that comes with a ban on reading it, and what allows that again.
    struct Ban: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let ban: String
        let allow: String
    }

    static let bans = [
        Ban(
            testDescription: "no right to read the file",
            ban: "exec 3<> s/server.json; chmod 000 s/server.json; put 3 >&3",
            allow: "chmod 644 s/server.json"),
        Ban(
            testDescription: "no right to enter the folder",
            ban: "exec 3<> s/server.json; chmod 644 s; put 3 >&3", allow: "chmod 755 s"),
        Ban(
            testDescription: "no right to enter the folder above",
            ban: "exec 3<> s/server.json; chmod 644 .; put 3 >&3", allow: "chmod 755 ."),
        Ban(
            testDescription: "another file in its place", ban: "put 3 > new; chmod 000 new; mv new s/server.json",
            allow: "chmod 644 s/server.json"),
        Ban(
            testDescription: "another folder in its place",
            ban: "mkdir new; put 3 > new/server.json; chmod 644 new/server.json; chmod 700 new; mv s old; mv new s",
            allow: "chmod 755 s"),
    ]

    @Test("it is told once, readers stay on the last good value, and so is the end of it", arguments: bans)
    func ban(_ ban: Ban) throws {
        let stranger = try Stranger()
        try stranger.place.run(Self.good)
        let mirror = try stranger.mirror("s/server.json")
        #expect(try mirror.line() == "port 1")
        try stranger.place.run(ban.ban)
        let problem = "problem unreadable s/server.json: error: Permission denied"
        #expect(try mirror.line()?.hasPrefix(problem) == true)
        try checkTheEnd(of: ban, stranger, mirror)
    }

    @Test("one that may not be read at first is served by the defaults until it may", arguments: bans)
    func atFirst(_ ban: Ban) throws {
        let stranger = try Stranger()
        try stranger.place.run("\(Self.good); \(ban.ban)")
        let mirror = try stranger.mirror(stranger.place.folder.path(of: "s/server.json"))
        #expect(try mirror.line() == "port 8080")
        #expect(try mirror.line()?.hasPrefix("problem unreadable \(stranger.place.folder.path)") == true)
        try checkTheEnd(of: ban, stranger, mirror)
    }

    private static let good = "mkdir s; chmod 755 s; put 1 > s/server.json; chmod 644 s/server.json"

    /// What stands there now arrives with the right to read it, whichever of the two is told first.
    private func checkTheEnd(of ban: Ban, _ stranger: Stranger, _ mirror: RunningProgram) throws {
        try stranger.place.run(ban.allow)
        let lines = [try mirror.line(), try mirror.line()]
        #expect(Set(lines) == ["port 3", "recovered unreadable"])
        try stranger.place.run("put 2 > s/server.json")
        #expect(try mirror.line() == "port 2")
        #expect(try mirror.end() == Program.Result(code: 0))
    }
}

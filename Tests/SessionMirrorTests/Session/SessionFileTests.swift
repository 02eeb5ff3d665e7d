import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

@Suite("A session and its file") struct SessionFileTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "server.json")
    }

    @Test("An edit reaches readers and subscribers") func edit() throws {
        try folder.write("server.json", #"{ "port": 1 }"#)
        let session = try Session(Server(), at: path)
        #expect(session.port == 1)
        #expect(session.greeting == "hello")
        #expect(session.snapshot.version.number == 1)
        #expect(session.snapshot.origin == .initial)

        let received = Received<Change<Int>>()
        let token = session.observe(\.port) { received.add($0) }
        try folder.write("server.json", #"{ "port": 2, "limits": { "burst": 7 } }"#)
        eventually("the edit is loaded") { received.items.last?.new == 2 }
        #expect(received.items.first?.old == 1)
        #expect(session.limits.burst == 7)
        #expect(session.limits.names == ["a", "b"])
        #expect(session.snapshot.origin == .external)
        #expect(session[\.greeting] == "hello")
        #expect(session.read { $0.limits.burst } == 7)
        withExtendedLifetime(token) {}
    }

    @Test("The session of a missing file has the defaults until the file is created") func missing() throws {
        let session = try Session(Server(), at: path)
        #expect(session.port == 8080)
        #expect(session.mirror.status.watching == .live)
        #expect(session.mirror.status.content == .missing)
        #expect(session.snapshot.json == [:])
        try folder.write("server.json", #"{ "port": 2 }"#)
        eventually("the new file is loaded") { session.port == 2 && session.mirror.status.content == .good }
    }

    @Test("A deleted file changes only the status until it is created again") func deleted() throws {
        try folder.write("server.json", #"{ "port": 2 }"#)
        let session = try Session(Server(), at: path)
        try folder.remove("server.json")
        eventually("the status is missing") { session.mirror.status.content == .missing }
        #expect(session.port == 2)
        try folder.write("server.json", #"{ "port": 3 }"#)
        eventually("the recreated file is loaded") { session.port == 3 }
        eventually("the status is good") { session.mirror.status.content == .good }
    }

    @Test("The text of the file with its comments is the last valid one") func document() throws {
        #expect(Session(inMemory: Server()).mirror.document == nil)
        let session = try Session(Server(), at: path)
        #expect(session.mirror.document == nil)
        let comments = { session.mirror.document?.comments().map { "\($0.path.dotted): \($0.text)" } }
        try folder.write("server.json", "{\n  // where\n  \"port\": 1\n}\n")
        eventually("the file is loaded") { comments() == ["port: where"] }
        // No version, because no value has changed.
        let version = session.snapshot.version
        try folder.write("server.json", "{\n  // on which port\n  \"port\": 1\n}\n")
        eventually("the comment is loaded") { comments() == ["port: on which port"] }
        #expect(session.snapshot.version == version)
        try folder.write("server.json", "{\n  // broken\n  \"port\": \n}\n")
        eventually("the edit is reported") { session.mirror.status.content.problem != nil }
        #expect(comments() == ["port: on which port"])
        try folder.write("server.json", "{\n  // mended\n  \"port\": 1\n}\n")
        eventually("the edit is loaded") { session.mirror.status.content == .good }
        try session.commitBlocking { $0.port = 2 }
        #expect(session.mirror.document?.text == "{\n  // mended\n  \"port\": 2\n}\n")
        try folder.remove("server.json")
        eventually("no text") { session.mirror.document == nil }
        try session.commitBlocking { $0.port = 3 }
        #expect(session.mirror.document?.value == ["port": 3])
    }

    @Test("An invalid edit keeps the last valid value and is reported once with its location, as is its repair")
    func broken() throws {
        try folder.write("server.json", "{ \"port\": 2 }\n")
        let session = try Session(Server(), at: path)
        let reports = Received<MirrorReport>()
        let token = session.mirror.observe { reports.add($0) }
        try folder.write("server.json", "{\n  \"port\": eighty\n}\n")
        eventually("the problem is reported") { reports.count == 3 }
        #expect(session.port == 2)
        guard case .problem(let problem) = reports.items[1] else {
            Issue.record("\(reports.items)")
            return
        }
        #expect(problem.code == .syntax)
        #expect(problem.location?.line == 2)
        #expect(problem.location?.column == 11)
        #expect(problem.description.hasPrefix("\(path):2:11: error: "))
        #expect(session.mirror.status.content == .invalid(problem))

        try folder.write("server.json", "{ \"port\": 3 }\n")
        eventually("the repair is reported") { reports.count == 5 }
        #expect(reports.items[3] == .recovered(problem))
        #expect(session.port == 3)
        #expect(session.mirror.metrics.rejectedLoads == 1)
        #expect(session.mirror.metrics.reloads == 1)
        withExtendedLifetime(token) {}
    }

    @Test("A value of the wrong type is reported with its path, and so is one that the check rejects") func wrong()
        throws
    {
        try folder.write("server.json", #"{ "port": "eighty" }"#)
        let session = try Session(Server(), at: path) { server in
            if server.port < 1_024 { throw ValidationError("must be 1024 or more", at: "port") }
        }
        let problem = try #require(session.mirror.status.content.problem)
        #expect(problem.code == .value)
        #expect(problem.path == "/port")
        #expect(problem.location?.column == 11)
        try folder.write("server.json", "{\n  \"port\": 80 }")
        eventually("the rejection is reported") { session.mirror.status.content.problem?.location?.line == 2 }
        #expect(session.mirror.status.content.problem?.message == #""port" must be 1024 or more"#)
        #expect(session.port == 8080)
        try folder.write("server.json", #"{ "port": 1024 }"#)
        eventually("the repair is loaded") { session.port == 1_024 }
    }

    @Test("A session whose check rejects the defaults cannot be opened") func unusableDefaults() {
        #expect {
            try Session(Server(), at: path) { _ in throw ValidationError("is invalid") }
        } throws: {
            ($0 as? SessionError)?.code == .unusableDefaults
        }
    }

    @Test("A read-only session rejects updates, commits and sets") func readOnly() throws {
        var options = SessionOptions()
        options.isReadOnly = true
        let session = try Session(Server(), at: path, options: options)
        func isReadOnly(_ error: any Error) -> Bool { (error as? SessionError)?.code == .readOnly }
        #expect { try session.update { $0.port = 1 } } throws: { isReadOnly($0) }
        #expect { try session.commitBlocking { $0.port = 1 } } throws: { isReadOnly($0) }
        #expect { try session.set("/port", to: 1) } throws: { isReadOnly($0) }
        #expect(session.port == 8080)
        try session.closeBlocking()
    }

    @Test("A polled session reports that it polls, receives edits, and saves") func polled() throws {
        try folder.write("server.json", #"{ "port": 1 }"#)
        var options = SessionOptions()
        options.watching = .polling
        let session = try Session(Server(), at: path, options: options)
        guard case .polling(let reason) = session.mirror.status.watching else {
            Issue.record("the file is not polled")
            return
        }
        #expect(reason.code == .requested && reason.summary == "polling was requested")
        for port in 2...3 {
            try folder.write("tmp", #"{ "port": \#(port) }"#)
            try folder.rename("tmp", to: "server.json")
            eventually("the edit is loaded") { session.port == port }
        }
        try session.commitBlocking { $0.greeting = "hi" }
        #expect(try folder.read("server.json").contains("hi"))
        try folder.write("server.json", #"{ "port": 4 }"#)
        eventually("the edit is loaded") { session.port == 4 }
        try session.closeBlocking()
        #expect(session.mirror.status.watching == .notWatching)
    }

    @Test("A closed session keeps its value and receives no edits") func closed() throws {
        try folder.write("server.json", #"{ "port": 2 }"#)
        let session = try Session(Server(), at: path)
        let other = try Session(Server(), at: path)
        try session.closeBlocking()
        #expect(session.mirror.status.watching == .notWatching)
        try folder.write("server.json", #"{ "port": 3 }"#)
        eventually("the other session loads the edit") { other.port == 3 }
        #expect(session.port == 2)
    }

    @Test("A session of JSON holds any document and reads members by keys or a pointer") func json() throws {
        try folder.write("server.json", #"{ "http": { "port": 80, "tls": { "on": { "now": true } } } }"#)
        let session = try Session<JSON>([:], at: path)
        #expect(session["http", "port"] == 80)
        #expect(session["http"]?["port"] == 80)
        #expect(session["http", "tls", "on"] == ["now": true])
        #expect(session["http", "host"] == nil)
        #expect(session[at: "http.port"] == 80)
        try folder.write("server.json", "[1, 2]")
        eventually("the array is loaded") { session[at: "/1"] == 2 }
    }

    @Test("An empty object in the file replaces the defaults of a session of JSON") func emptyObject() throws {
        let session = try Session<JSON>(["a": 1], at: path)
        #expect(session["a"] == 1)
        try folder.write("server.json", "{}")
        eventually("the root is empty") { session[\.self] == [:] }
    }

    @Test("A snapshot gives the location of a value in its text") func places() throws {
        try folder.write("server.json", "{\n  // where it listens\n  \"port\": 2\n}")
        let session = try Session(Server(), at: path)
        #expect(session.snapshot.location(of: "/port")?.line == 3)
        #expect(session.snapshot.location(of: "/greeting") == nil)
        #expect(session.snapshot.json == ["port": 2])
    }

    @Test("An edit of comments alone creates no new version") func comments() throws {
        try folder.write("server.json", "{ \"port\": 2 }")
        let session = try Session(Server(), at: path)
        try folder.write("server.json", "{ /* two */ \"port\": 2 }")
        try folder.write("other.json", "{}")
        eventually("the file is loaded") { session.mirror.metrics.loads > 1 }
        let loads = session.mirror.metrics.loads
        session.mirror.reload()
        eventually("the file is loaded again") { session.mirror.metrics.loads > loads }
        #expect(session.snapshot.version.number == 1)
    }

    @Test("waitUntil returns when its condition holds, and throws after its time limit") func waiting() async throws {
        try folder.write("server.json", #"{ "port": 2 }"#)
        let session = try Session(Server(), at: path)
        try await session.waitUntil { $0.port == 2 }
        async let third: Void = session.waitUntil(within: .seconds(20)) { $0.port == 3 }
        try folder.write("server.json", #"{ "port": 3 }"#)
        try await third
        await #expect {
            try await session.waitUntil(within: .milliseconds(20)) { $0.port == 4 }
        } throws: {
            ($0 as? SessionError)?.code == .timedOut
        }
    }
}

import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("A session and its file") struct SessionFileTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "server.json")
    }

    @Test("an edit arrives, for readers and for subscribers") func edit() throws {
        try folder.write("server.json", #"{ "port": 1 }"#)
        let session = try Session(Server(), at: path)
        #expect(session.port == 1)
        #expect(session.greeting == "hello")
        #expect(session.snapshot.version.number == 1)
        #expect(session.snapshot.origin == .initial)

        let received = Received<Change<Int>>()
        let token = session.observe(\.port) { received.add($0) }
        try folder.write("server.json", #"{ "port": 2, "limits": { "burst": 7 } }"#)
        eventually("the edit arrives") { received.items.last?.new == 2 }
        #expect(received.items.first?.old == 1)
        #expect(session.limits.burst == 7)
        #expect(session.limits.names == ["a", "b"])
        #expect(session.snapshot.origin == .external)
        #expect(session[\.greeting] == "hello")
        #expect(session.read { $0.limits.burst } == 7)
        withExtendedLifetime(token) {}
    }

    @Test("a missing file is served by the defaults until somebody creates it") func missing() throws {
        let session = try Session(Server(), at: path)
        #expect(session.port == 8080)
        #expect(session.mirror.status.watching == .live)
        #expect(session.mirror.status.content == .missing)
        #expect(session.snapshot.json == [:])
        try folder.write("server.json", #"{ "port": 2 }"#)
        eventually("it arrives") { session.port == 2 && session.mirror.status.content == .good }
    }

    @Test("a deleted file changes nothing but the status, and comes back") func deleted() throws {
        try folder.write("server.json", #"{ "port": 2 }"#)
        let session = try Session(Server(), at: path)
        try folder.remove("server.json")
        eventually("the status says so") { session.mirror.status.content == .missing }
        #expect(session.port == 2)
        try folder.write("server.json", #"{ "port": 3 }"#)
        eventually("it comes back") { session.port == 3 }
        eventually("and the status") { session.mirror.status.content == .good }
    }

    @Test("a broken edit keeps the last good value, is told once with its place, and so is its repair")
    func broken() throws {
        try folder.write("server.json", "{ \"port\": 2 }\n")
        let session = try Session(Server(), at: path)
        let reports = Received<MirrorReport>()
        let token = session.mirror.observe { reports.add($0) }
        try folder.write("server.json", "{\n  \"port\": eighty\n}\n")
        eventually("the problem is told") { reports.count == 3 }
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
        eventually("the repair is told") { reports.count == 5 }
        #expect(reports.items[3] == .recovered(problem))
        #expect(session.port == 3)
        #expect(session.mirror.metrics.refusals == 1)
        #expect(session.mirror.metrics.reloads == 1)
        withExtendedLifetime(token) {}
    }

    @Test("a value of the wrong type is told with its path, and so is one that the program refuses") func wrong() throws
    {
        try folder.write("server.json", #"{ "port": "eighty" }"#)
        let session = try Session(Server(), at: path) { server in
            if server.port < 1_024 { throw Refusal("must be 1024 or more", at: "port") }
        }
        let problem = try #require(session.mirror.status.content.standing)
        #expect(problem.code == .value)
        #expect(problem.path == "/port")
        #expect(problem.location?.column == 11)
        try folder.write("server.json", "{\n  \"port\": 80 }")
        eventually("the refusal is told") { session.mirror.status.content.standing?.location?.line == 2 }
        #expect(session.mirror.status.content.standing?.message == #""port" must be 1024 or more"#)
        #expect(session.port == 8080)
        try folder.write("server.json", #"{ "port": 1024 }"#)
        eventually("the repair arrives") { session.port == 1_024 }
    }

    @Test("defaults that the program itself refuses cannot be served") func unusableDefaults() {
        #expect {
            try Session(Server(), at: path) { _ in throw Refusal("is no good") }
        } throws: {
            ($0 as? SessionError)?.code == .unusableDefaults
        }
    }

    @Test("a session that is read-only changes nothing") func readOnly() throws {
        var options = SessionOptions()
        options.isReadOnly = true
        let session = try Session(Server(), at: path, options: options)
        func isReadOnly(_ error: any Error) -> Bool { (error as? SessionError)?.code == .readOnly }
        #expect { try session.update { $0.port = 1 } } throws: { isReadOnly($0) }
        #expect { try session.commitBlocking { $0.port = 1 } } throws: { isReadOnly($0) }
        #expect { try session.set("/port", to: 1) } throws: { isReadOnly($0) }
        #expect(session.port == 8080)
        try session.close()
    }

    @Test("a polled session says so, hears of edits, and saves") func polled() throws {
        try folder.write("server.json", #"{ "port": 1 }"#)
        var options = SessionOptions()
        options.isPolled = true
        let session = try Session(Server(), at: path, options: options)
        #expect(session.mirror.status.watching == .polling("polling was asked for"))
        for port in 2...3 {
            try folder.write("tmp", #"{ "port": \#(port) }"#)
            try folder.rename("tmp", to: "server.json")
            eventually("the edit arrives") { session.port == port }
        }
        try session.commitBlocking { $0.greeting = "hi" }
        #expect(try folder.read("server.json").contains("hi"))
        try folder.write("server.json", #"{ "port": 4 }"#)
        eventually("the edit arrives") { session.port == 4 }
        try session.close()
        #expect(session.mirror.status.watching == .frozen)
    }

    @Test("after closing, the value stays and nothing arrives") func closed() throws {
        try folder.write("server.json", #"{ "port": 2 }"#)
        let session = try Session(Server(), at: path)
        let other = try Session(Server(), at: path)
        try session.close()
        #expect(session.mirror.status.watching == .frozen)
        try folder.write("server.json", #"{ "port": 3 }"#)
        eventually("the other one sees it") { other.port == 3 }
        #expect(session.port == 2)
    }

    @Test("any JSON is a root, and its members are read along a path") func json() throws {
        try folder.write("server.json", #"{ "http": { "port": 80, "tls": { "on": { "now": true } } } }"#)
        let session = try Session<JSON>([:], at: path)
        #expect(session["http", "port"] == 80)
        #expect(session["http"]?["port"] == 80)
        #expect(session["http", "tls", "on"] == ["now": true])
        #expect(session["http", "host"] == nil)
        #expect(session[at: "http.port"] == 80)
        try folder.write("server.json", "[1, 2]")
        eventually("even an array") { session[at: "/1"] == 2 }
    }

    @Test("an empty object takes the place of defaults that are none of a type") func emptyObject() throws {
        let session = try Session<JSON>(["a": 1], at: path)
        #expect(session["a"] == 1)
        try folder.write("server.json", "{}")
        eventually("it is what the file says") { session[\.self] == [:] }
    }

    @Test("the text of a version says where its values are") func places() throws {
        try folder.write("server.json", "{\n  // where it listens\n  \"port\": 2\n}")
        let session = try Session(Server(), at: path)
        #expect(session.snapshot.location(of: "/port")?.line == 3)
        #expect(session.snapshot.location(of: "/greeting") == nil)
        #expect(session.snapshot.json == ["port": 2])
    }

    @Test("an edit of comments alone is no new version") func comments() throws {
        try folder.write("server.json", "{ \"port\": 2 }")
        let session = try Session(Server(), at: path)
        try folder.write("server.json", "{ /* two */ \"port\": 2 }")
        try folder.write("other.json", "{}")
        eventually("it was looked at") { session.mirror.metrics.looks > 1 }
        let looks = session.mirror.metrics.looks
        session.mirror.reload()
        eventually("and again") { session.mirror.metrics.looks > looks }
        #expect(session.snapshot.version.number == 1)
    }

    @Test("what is waited for comes, or its time is over") func waiting() async throws {
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

extension MirrorStatus.Content {
    /// The problem that stands.
    var standing: Problem? {
        if case .invalid(let problem) = self { problem } else { nil }
    }
}

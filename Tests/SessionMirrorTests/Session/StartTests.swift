import TestSupport
import Testing

@testable import SessionMirror

@Suite("What a session needs when it is opened") struct StartTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "server.json")
    }

    private func open(_ start: SessionOptions.Start) throws -> Session<Server> {
        try Session(Server(), at: path, options: SessionOptions(start: start)) { server in
            if server.port == 0 { throw ValidationError("must be positive", at: "port") }
        }
    }

    @Test(
        "A session that requires a valid file throws the problem of an invalid one",
        arguments: [SessionOptions.Start.requireValid, .requireFile],
        [#"{ "port": }"#, #"{ "port": "a" }"#, #"{ "port": 0 }"#])
    func invalid(_ start: SessionOptions.Start, _ text: String) throws {
        try folder.write("server.json", text)
        let error = try #require(throws: SessionError.self) { try open(start) }
        #expect(error.code == .invalidFile)
        let problem = try #require(error.problem)
        #expect(problem.location?.line == 1 && problem.file == path)
        #expect("\(error)" == problem.fullDescription)
        #expect("\(error)".hasPrefix("\(path):1:"))
        // Not watched any more.
        #expect(try open(.useDefaults).port == 8080)
    }

    @Test("Only a session that requires a file throws if it is missing") func missing() throws {
        #expect(try open(.useDefaults).port == 8080)
        #expect(try open(.requireValid).port == 8080)
        let error = try #require(throws: SessionError.self) { try open(.requireFile) }
        #expect(error.code == .missingFile && "\(error)".hasPrefix("\(path): the file does not exist"))
    }

    @Test(
        "A valid file and an empty one meet each requirement",
        arguments: [SessionOptions.Start.requireValid, .requireFile])
    func valid(_ start: SessionOptions.Start) throws {
        try folder.write("server.json", #"{ "port": 9 }"#)
        #expect(try open(start).port == 9)
        try folder.write("server.json", "// nothing yet\n")
        #expect(try open(start).port == 8080)
    }

    @Test("A file that its writer completes within the settling time meets each requirement") func incomplete() throws {
        for (start, text) in [(SessionOptions.Start.requireValid, "{"), (.requireFile, nil), (.requireValid, "")] {
            if let text { try folder.write("server.json", text) } else { try folder.remove("server.json") }
            var options = SessionOptions(start: start)
            options.settlingTime = .seconds(30)
            let (folder, path, opened) = (folder, path, Received<Int>())
            let thread = TestThread { [options] in
                do {
                    opened.add(try Session(Server(), at: path, options: options).port)
                } catch {
                    Issue.record(error)
                }
            }
            try folder.write("server.json", #"{ "port": 9 }"#)
            eventually("the session is open") { opened.items == [9] }
            thread.join()
        }
    }

    @Test("A session that does not watch opens with a path that cannot be watched, and reports why it cannot be read")
    func notWatching() throws {
        var options = SessionOptions()
        let long = folder.path(of: String(repeating: "a/", count: 3_000))
        #expect(throws: SessionError.self) { try Session(Server(), at: long, options: options) }
        options.watching = .off
        for path in [long, folder.path(of: "a\0b")] {
            let session = try Session(Server(), at: path, options: options)
            #expect(session.port == 8080)
            #expect(session.mirror.status.content.problem?.code == .unreadable)
        }
        #expect(throws: SessionError.self) { try Session(Server(), at: "", options: options) }
    }
}

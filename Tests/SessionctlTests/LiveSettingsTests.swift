import Glibc
import TestSupport
import Testing

@Suite("The example livesettings")
struct LiveSettingsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start() throws -> RunningProgram { try Program.built("livesettings").start(["a.json"], in: folder) }

    @Test("livesettings prints its settings and every change")
    func changes() throws {
        try folder.put("a.json", #"{"port": 9090}"#)
        let service = try start()
        #expect(try service.line() == #"serving: "hello" on port 9090, 100 requests at once, 2.5 s each"#)
        try folder.put("a.json", #"{"port": 9191}"#)
        #expect(try service.line() == "port: 9090 → 9191, listening on the new port")
        try folder.put("a.json", #"{"port": 9191, "greeting": "hi"}"#)
        #expect(try service.line() == #"greeting: "hello" → "hi""#)
        try folder.put("a.json", #"{"port": 9191, "greeting": "hi", "limits": {"burst": 1}}"#)
        #expect(
            try service.line() == "limits: 100 requests at once, 2.5 s each → 1 requests at once, 2.5 s each")
    }

    @Test("livesettings keeps its settings if a value is invalid, and reports the location and the correction")
    func problems() throws {
        let service = try start()
        let serving = #"serving: "hello" on port 8080, 100 requests at once, 2.5 s each"#
        #expect(try service.line() == serving)
        #expect(try service.line() == "settings file missing; keeping the current settings")
        try folder.put("a.json", "{\n  \"port\": 80\n}")
        #expect(try service.line() == #"a.json:2:11: error: "port" must be between 1024 and 65535"#)
        #expect(try service.line() == "  \"port\": 80")
        #expect(try service.line() == "          ^")
        #expect(try service.line() == "still " + serving)
        try folder.put("a.json", "{\n  \"port\": 8080\n}")
        #expect(try service.line() == "settings valid again")
        try folder.remove("a.json")
        #expect(try service.line() == "settings file missing; keeping the current settings")
    }

    @Test("livesettings counts served clients in the file and saves before it exits", arguments: [SIGTERM, SIGINT])
    func served(signal: Int32) throws {
        try folder.put("a.json", "{\n  \"served\": 41 // so far\n}\n")
        let service = try start()
        #expect(try service.line()?.hasPrefix("serving: ") == true)
        // The service handles signals before it prints the line above.
        service.send(SIGUSR1)
        #expect(try service.line() == "served: 42")
        service.send(signal)
        #expect(try service.line() == "saved")
        #expect(try service.end().code == 0)
        #expect(try folder.read("a.json") == "{\n  \"served\": 42 // so far\n}\n")
    }

    @Test("livesettings without arguments prints its usage")
    func usage() throws {
        let service = Program.built("livesettings")
        #expect(try service.run([], in: folder) == Program.Result(code: 2, messages: "usage: livesettings FILE\n"))
    }
}

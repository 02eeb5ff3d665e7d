import Glibc
import TestSupport
import Testing

@Suite("The example service livesettings")
struct LiveSettingsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start() throws -> RunningProgram { try Program.built("livesettings").start(["a.json"], in: folder) }

    @Test("prints its settings, and each change of one as it arrives")
    func changes() throws {
        try folder.put("a.json", #"{"port": 9090}"#)
        let service = try start()
        #expect(try service.line() == #"serving: "hello" on port 9090, 100 requests at once, 2.5 s each"#)
        try folder.put("a.json", #"{"port": 9191}"#)
        #expect(try service.line() == "port: 9090 → 9191, listening there now")
        try folder.put("a.json", #"{"port": 9191, "greeting": "hi"}"#)
        #expect(try service.line() == #"greeting: "hello" → "hi""#)
        try folder.put("a.json", #"{"port": 9191, "greeting": "hi", "limits": {"burst": 1}}"#)
        #expect(
            try service.line() == "limits: 100 requests at once, 2.5 s each → 1 requests at once, 2.5 s each")
    }

    @Test("serves on when a value is no good, with the place, and tells when it is mended")
    func problems() throws {
        let service = try start()
        let serving = #"serving: "hello" on port 8080, 100 requests at once, 2.5 s each"#
        #expect(try service.line() == serving)
        #expect(try service.line() == "there is no settings file; serving on")
        try folder.put("a.json", "{\n  \"port\": 80\n}")
        #expect(try service.line() == #"a.json:2:11: error: "port" must be between 1024 and 65535"#)
        #expect(try service.line() == "  \"port\": 80")
        #expect(try service.line() == "          ^")
        #expect(try service.line() == "still " + serving)
        try folder.put("a.json", "{\n  \"port\": 8080\n}")
        #expect(try service.line() == "the mistake is gone")
        try folder.remove("a.json")
        #expect(try service.line() == "there is no settings file; serving on")
    }

    @Test("counts clients in the file, and saves before it ends", arguments: [SIGTERM, SIGINT])
    func served(signal: Int32) throws {
        try folder.put("a.json", "{\n  \"served\": 41 // so far\n}\n")
        let service = try start()
        #expect(try service.line()?.hasPrefix("serving: ") == true)
        // It listens to signals before it says so.
        service.send(SIGUSR1)
        #expect(try service.line() == "served: 42")
        service.send(signal)
        #expect(try service.line() == "all is saved")
        #expect(try service.end().code == 0)
        #expect(try folder.read("a.json") == "{\n  \"served\": 42 // so far\n}\n")
    }

    @Test("says how it is used")
    func usage() throws {
        let service = Program.built("livesettings")
        #expect(try service.run([], in: folder) == Program.Result(code: 2, messages: "usage: livesettings FILE\n"))
    }
}

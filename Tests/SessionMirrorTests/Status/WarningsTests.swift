import SessionMirror
import TestSupport
import Testing

@Suite("Warnings about the content of a file") struct WarningsTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "server.json")
    }

    @Test("A key that stands twice is a warning with its location, reported once until it is gone") func twice() throws
    {
        try folder.write("server.json", #"{ "port": 1, "port": 2 }"#)
        let session = try Session(Server(), at: path)
        #expect(session.port == 2)
        let warning = try #require(session.mirror.status.warnings.first)
        #expect(
            warning.description == "\(path):1:14: warning: duplicate key \"port\"; the earlier one at 1:3 is ignored")
        guard case .duplicateKey(let ignored) = warning.code else {
            Issue.record("the warning has another code")
            return
        }
        #expect(ignored.column == 3)
        let reports = Received<MirrorReport>()
        let token = session.mirror.observe { reports.add($0) }
        eventually("the warning is delivered") { reports.items.contains(.problem(warning)) }
        try folder.write("server.json", "\n" + #"{ "port": 1, "port": 3 }"#)
        eventually("the edit is loaded") { session.port == 3 }
        try folder.write("server.json", #"{ "port": 4 }"#)
        eventually("the warning is gone") { session.mirror.status.warnings == [] && session.port == 4 }
        eventually("its end is delivered") {
            reports.items.contains { if case .recovered = $0 { true } else { false } }
        }
        #expect(reports.items.compactMap(\.problem).count == 1)
        withExtendedLifetime(token) {}
    }

    @Test("A deleted file has no warnings") func deleted() throws {
        try folder.write("server.json", #"{ "port": 1, "port": 2 }"#)
        let session = try Session(Server(), at: path)
        #expect(session.mirror.status.warnings.count == 1)
        try folder.remove("server.json")
        eventually("the file is missing") { session.mirror.status.content == .missing }
        #expect(session.mirror.status.warnings == [])
    }

    private struct Service: Codable, Sendable {
        var logLevel = "info"
        var limits = Limits()
        var labels: [String: String] = [:]
        var extra: JSON = .null

        struct Limits: Codable, Sendable {
            var burst = 5
        }
    }

    private func open(_ unknownKeys: SessionOptions.UnknownKeys = .warn()) throws -> Session<Service> {
        var options = SessionOptions()
        options.unknownKeys = unknownKeys
        return try Session(Service(), at: path, options: options)
    }

    @Test("The warning about a key ends when the program removes what contains it", arguments: [false, true])
    func removedByProgram(isChangedByOthers: Bool) throws {
        struct Limits: Codable, Sendable { var byName: [String: Service.Limits] = [:] }
        try folder.write(
            "server.json", #"{ "byName": { "a": { "burst": 1, "brust": 1 }, "b": { "burst": 2, "brust": 2 } } }"#)
        var options = SessionOptions()
        options.unknownKeys = .warn()
        options.watching = .off
        let session = try Session(Limits(), at: path, options: options)
        #expect(session.mirror.status.warnings.compactMap(\.path) == ["/byName/a/brust", "/byName/b/brust"])
        try session.update { $0.byName["a"] = nil }
        // Then the save decodes the text that it finds, which still has the key.
        if isChangedByOthers {
            try folder.write(
                "server.json", #"{ "byName": { "a": { "burst": 1, "brust": 1 }, "b": { "burst": 3, "brust": 2 } } }"#)
        }
        try session.flushBlocking()
        #expect(session.mirror.status.warnings.compactMap(\.path) == ["/byName/b/brust"])
        #expect(session.read { $0.byName["b"]?.burst } == (isChangedByOthers ? 3 : 2))
    }

    @Test("A key that the type does not have is a warning with its location and the nearest key") func unknown() throws
    {
        try folder.write("server.json", "{\n  \"loglevel\": \"debug\",\n  \"limits\": { \"brust\": 7 }\n}\n")
        let session = try open()
        #expect(session.logLevel == "info")
        let warnings = session.mirror.status.warnings
        #expect(
            warnings.map(\.description) == [
                "\(path):2:3: warning: \"loglevel\" is not a known key; did you mean \"logLevel\"?",
                "\(path):3:15: warning: \"limits.brust\" is not a known key; did you mean \"burst\"?",
            ])
        #expect(warnings.map(\.code) == [.unknownKey(suggestion: "logLevel"), .unknownKey(suggestion: "burst")])
        #expect(session.mirror.status.content == .good)
    }

    @Test("An unknown key is reported once, until it is gone") func once() throws {
        let session = try open()
        let reports = Received<MirrorReport>()
        let token = session.mirror.observe { reports.add($0) }
        try folder.write("server.json", #"{ "loglevel": "debug" }"#)
        eventually("the warning is delivered") { reports.items.contains { $0.problem != nil } }
        try folder.write("server.json", #"{ "labels": { "a": "b" }, "loglevel": "info" }"#)
        eventually("the edit is loaded") { session.labels == ["a": "b"] }
        try session.commitBlocking { $0.labels["c"] = "d" }
        #expect(session.mirror.status.warnings.count == 1)
        try folder.write("server.json", #"{ "logLevel": "debug" }"#)
        eventually("the key is known") { session.logLevel == "debug" && session.mirror.status.warnings == [] }
        eventually("its end is delivered") {
            reports.items.contains { if case .recovered = $0 { true } else { false } }
        }
        #expect(reports.items.compactMap(\.problem).count == 1)
        withExtendedLifetime(token) {}
    }

    @Test("Free keys, $schema and exempt names are no unknown keys, and the warnings can be turned off") func exempt()
        throws
    {
        try folder.write(
            "server.json",
            #"{ "$schema": "x", "labels": { "a": "b" }, "extra": { "c": 1 }, "comment": 1, "limits": { "comment": 2 } }"#
        )
        #expect(try open(.warn(except: ["comment"])).mirror.status.warnings == [])
        #expect(try open().mirror.status.warnings.map(\.path) == ["comment", "limits.comment"])
        #expect(try open(.ignore).mirror.status.warnings == [])
        #expect(try Session<JSON>([:], at: path).mirror.status.warnings == [])
    }

    @Test("A thousand unknown keys are a hundred warnings") func many() throws {
        let members = (0..<1_000).map { "\"key\($0)\": \($0)" }.joined(separator: ",\n")
        try folder.write("server.json", "{\n\(members)\n}\n")
        let warnings = try open().mirror.status.warnings
        #expect(warnings.count == 100)
        #expect(warnings.map(\.location?.line) == (2...101).map { $0 })
    }
}

import LosslessJSON
import SessionMirror
import TestSupport
import Testing

/// Files that not every type accepts.
extension SharedFileTests {
    @Test("A type that cannot decode the file keeps its value and says so; the others go on") func problems() throws {
        try folder.write("session.json", #"{ "port": "x", "color": "red" }"#)
        let (network, theme) = (try open(Network()), try open(Color()))
        #expect(theme.color == "red")
        #expect(network.port == 8080)
        #expect(theme.mirror.status.content == .good)
        guard case .invalid(let problem) = network.mirror.status.content else {
            Issue.record("\(network.mirror.status)")
            return
        }
        #expect(problem.description.hasSuffix("session.json:1:11: error: \"port\" must be a whole number, found \"x\""))
        let (reports, others) = (Received<MirrorReport>(), Received<MirrorReport>())
        let tokens = [network.mirror.observe { reports.add($0) }, theme.mirror.observe { others.add($0) }]
        eventually("the problem is reported") { reports.items.contains(.problem(problem)) }
        try edit(#"{ "port": 7, "color": "green" }"#)
        eventually("the type recovers") { network.port == 7 && theme.color == "green" }
        eventually("the end is reported") { reports.items.contains(.recovered(problem)) }
        try theme.update { $0.color = "x" }
        #expect(network.mirror.status.content == .good)
        #expect(!others.items.contains { if case .problem = $0 { true } else { false } })
        withExtendedLifetime(tokens) {}
        try theme.flushBlocking()
    }

    private struct Color: Codable, Sendable {
        var color = "blue"
    }

    @Test("Members can be set beside a value that the type cannot use, until a usable value replaces it")
    func editsBesideUnusable() throws {
        try folder.write("session.json", #"{ "port": "x", "hosts": ["a"] }"#)
        let network = try open(Network()) { if $0.port < 0 { throw ValidationError("must be positive", at: "port") } }
        try network.set("/note", to: "mine")
        #expect(network.hosts == ["a"] && network.port == 8080 && network.snapshot.json["note"] == "mine")
        guard case .invalid = network.mirror.status.content else {
            Issue.record("\(network.mirror.status)")
            return
        }
        #expect(throws: SessionProblem.self) { try network.set("/hosts", to: 5) }
        #expect(throws: (any Error).self) { try network.set("/port", to: "y") }
        #expect(network.hosts == ["a"] && network.snapshot.json["port"] == "x")
        // Neither does another value whose problem reads the same.
        #expect(throws: (any Error).self) { try network.set("/port", to: ["a": 1]) }
        try network.set("/hosts", to: ["b"])
        #expect(network.hosts == ["b"])
        try network.flushBlocking()
        #expect(try folder.read("session.json") == #"{ "port": "x", "hosts": ["b"], "note": "mine" }"#)
        try network.set("/port", to: 7)
        #expect(network.port == 7 && network.mirror.status.content == .good)
        #expect(throws: (any Error).self) { try network.set("/port", to: -1) }
        #expect(throws: (any Error).self) { try network.set("/port", to: "y") }
        #expect(network.port == 7)
        try network.flushBlocking()
    }

    @Test("An update of a type that cannot decode the file is saved beside what it cannot decode") func unusable()
        throws
    {
        let network = try open(Network())
        try network.commitBlocking { $0.port = 1 }
        try edit(#"{ "port": "x", "note": 1 }"#)
        eventually("the edit is loaded") { network.mirror.status.content != .good }
        #expect(network.port == 1)
        try network.update { $0.hosts.append("a") }
        #expect(network.hosts == ["a"] && network.port == 1)
        try network.update { $0.hosts.append("b") }
        #expect(network.hosts == ["a", "b"] && network.port == 1)
        try network.flushBlocking()
        #expect(
            try JSONDocument(parsing: folder.readBytes("session.json")).value
                == ["port": "x", "note": 1, "hosts": ["a", "b"]])
        try folder.write("session.json", try folder.read("session.json").replacing(#""x""#, with: "3"))
        eventually("the type recovers") { network.port == 3 }
        #expect(network.hosts == ["a", "b"])
        #expect(network.mirror.status.content == .good)
    }

    @Test(
        "An assignment replaces a value that cannot be used; until then the rest of the file is used, and saving works")
    func replacing() throws {
        try folder.write("session.json", #"{ "port": "x", "hosts": ["a"] }"#)
        let network = try open(Network())
        #expect(network.port == 8080 && network.hosts == ["a"])
        try network.update { $0.hosts = ["b"] }
        try network.flushBlocking()
        #expect(try folder.read("session.json") == #"{ "port": "x", "hosts": ["b"] }"#)
        guard case .invalid(let problem) = network.mirror.status.content else {
            Issue.record("\(network.mirror.status)")
            return
        }
        #expect(problem.location?.column == 11)
        try edit(#"{ "port": "y", "hosts": ["c"] }"#)
        eventually("the edit arrives") { network.hosts == ["c"] }
        try network.commitBlocking { $0.port = 5 }
        #expect(network.port == 5 && network.mirror.status.content == .good)
        #expect(try folder.read("session.json") == #"{ "port": 5, "hosts": ["c"] }"#)
    }

    @Test("Members of dictionaries and optional sections that cannot be used keep their values, and lists as a whole")
    func nested() throws {
        struct Limit: Codable, Sendable, Equatable {
            var burst: Int
            var unit = "s"
        }
        struct Limits: Codable, Sendable, Equatable {
            var tenants: [String: Limit] = [:]
            var list: [Int] = [7]
            var login: Limit?
        }
        try folder.write(
            "session.json",
            #"""
            { "tenants": { "a": { "burst": "x", "unit": "h" }, "b": { "burst": 2, "unit": "s" } },
              "list": [1, "x", 3], "login": { "unit": "m" } }
            """#)
        let limits = try open(Limits())
        #expect(limits.tenants == ["b": Limit(burst: 2)] && limits.list == [7] && limits.login == nil)
        try edit(
            #"{ "tenants": { "a": { "burst": 1, "unit": "h" } }, "list": [1], "login": { "burst": 4, "unit": "m" } }"#)
        eventually("the edit arrives") { limits.mirror.status.content == .good }
        try edit(#"{ "tenants": { "a": { "burst": "x", "unit": "d" } }, "list": ["x"], "login": 5 }"#)
        eventually("the edit arrives") { limits.tenants["a"]?.unit == "d" }
        #expect(limits.tenants["a"]?.burst == 1 && limits.list == [1] && limits.login == Limit(burst: 4, unit: "m"))
        try limits.update { $0.tenants["c"] = Limit(burst: 9) }
        try limits.flushBlocking()
        let saved = try JSONDocument(parsing: folder.readBytes("session.json")).value
        #expect(saved["tenants", "a", "burst"] == "x" && saved["tenants", "c", "burst"] == 9 && saved["login"] == 5)
    }

    @Test("A value that the check of one type rejects is a problem of that type only") func checks() throws {
        try folder.write("session.json", "{}")
        let network = try open(Network()) { network in
            if network.port < 1 { throw ValidationError("must be positive", at: "/port") }
        }
        let tree = try open(JSON.object([:]))
        try tree.set("/port", to: 0)
        #expect(tree["port"] == 0)
        #expect(network.port == 8080)
        #expect(network.mirror.status.content != .good && tree.mirror.status.content == .good)
        #expect(throws: (any Error).self) { try network.update { $0.port = -1 } }
        try network.update { $0.hosts = ["a"] }
        #expect(network.port == 8080 && tree["port"] == 0 && network.mirror.status.content != .good)
        try network.update { $0.port = 2 }
        #expect(network.port == 2 && tree["port"] == 2 && network.mirror.status.content == .good)
        try tree.set("/port", to: 3)
        #expect(network.port == 3 && network.mirror.status.content == .good)
        try network.flushBlocking()
    }

    @Test("A key is unknown if no type has it, and none is where a session of JSON has all") func unknownKeys() throws {
        try folder.write("session.json", #"{ "port": 1, "size": 2, "colour": "red", "extra": { "port": 1 } }"#)
        let network = try open(Network())
        #expect(network.mirror.status.warnings.compactMap(\.path) == ["/size", "/colour", "/extra"])
        let theme = try open(Theme())
        for status in [network.mirror.status, theme.mirror.status] {
            #expect(status.warnings.compactMap(\.path) == ["/colour", "/extra"])
        }
        try edit(#"{ "port": 1, "size": 2, "colour": "red" }"#)
        eventually("the warning ends") { theme.mirror.status.warnings.compactMap(\.path) == ["/colour"] }
        let tree = try open(JSON.object([:]))
        #expect(tree.mirror.status.warnings.isEmpty && network.mirror.status.warnings.isEmpty)
    }

    @Test("A file that is not JSON is a problem of every type; the values and the updates of all are kept")
    func syntax() throws {
        let (network, theme) = (try open(Network()), try open(Theme()))
        try network.commitBlocking { $0.port = 1 }
        try edit(#"{ "port": 1, "#)
        eventually("the edit is loaded") { theme.mirror.status.content != .good }
        #expect(network.mirror.status.content == theme.mirror.status.content)
        try theme.update { $0.size = 3 }
        #expect(network.port == 1 && theme.size == 3)
        try edit(#"{ "port": 2 }"#)
        eventually("the file is used again") { network.port == 2 && theme.size == 3 }
        try network.flushBlocking()
        #expect(try JSONDocument(parsing: folder.readBytes("session.json")).value == ["port": 2, "size": 3])
    }
}

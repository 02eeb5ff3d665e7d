import Locking
import LosslessJSON
import SessionMirror
import TestSupport
import Testing

/// Sessions of several types on one file.
@Suite("One file, several types") struct SharedFileTests {
    private struct Network: Codable, Sendable, Equatable {
        var port = 8080
        var hosts: [String] = []
    }

    private struct Theme: Codable, Sendable, Equatable {
        var color = "blue"
        var size = 12
        var port: Int?
    }

    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "session.json")
    }

    private func open<Root: Codable & Sendable>(
        _ defaults: Root, check: (@Sendable (Root) throws -> Void)? = nil
    ) throws -> Session<Root> {
        var options = SessionOptions()
        options.unobservedProblems = .ignore
        return try SharedFiles.shared.session(defaults, at: path, options: options, check: check)
    }

    /// Replaces the file as editors do.
    private func edit(_ text: String) throws {
        try folder.write("new", text)
        try folder.rename("new", to: "session.json")
    }

    @Test("A type gets one session, whichever path leads to the file") func oneSession() throws {
        let session = try open(Network())
        #expect(try open(Network()) === session)
        try folder.link("link", to: ".")
        let other = try SharedFiles.shared.session(
            Network(), at: folder.path(of: "link/session.json"), options: SessionOptions(), check: nil)
        #expect(other === session)
    }

    @Test("An update through one type is visible through the others when it returns, and is saved with theirs")
    func visible() throws {
        let (network, theme, tree) = (try open(Network()), try open(Theme()), try open(JSON.object([:])))
        for port in 1...100 {
            try network.update { $0.port = port }
            #expect(theme.port == port)
            #expect(tree["port"]?.int == port)
            try theme.update { $0.size = port }
            #expect(tree["size"]?.int == port)
            try tree.set("/hosts", to: ["a", .init("\(port)")])
            #expect(network.hosts == ["a", "\(port)"])
            #expect(network.port == port && theme.size == port)
        }
        try theme.flushBlocking()
        let values = try JSONDocument(parsing: folder.readBytes("session.json")).value
        #expect(values == ["port": 100, "size": 100, "hosts": ["a", "100"]])
        #expect(theme.snapshot.version == network.snapshot.version)
    }

    @Test("An edit of the file reaches the subscribers of each type, and keys of no type are kept") func edits() throws
    {
        try folder.write("session.json", #"{ "color": "red", "note": "mine" }"#)
        let (network, theme) = (try open(Network()), try open(Theme()))
        #expect(theme.color == "red")
        let (ports, colors) = (Received<Int>(), Received<Change<String>>())
        let tokens = [
            network.observe(\.port) { ports.add($0.new) }, theme.observe(\.color) { colors.add($0) },
        ]
        try edit(#"{ "color": "green", "port": 1, "note": "mine" }"#)
        eventually("both changes arrive") { ports.items == [1] && colors.items.map(\.new) == ["green"] }
        #expect(colors.items.map(\.origin) == [.external])
        try network.update { $0.port = 2 }
        try theme.commitBlocking { $0.color = "black" }
        eventually("both changes arrive") { ports.items == [1, 2] && colors.items.map(\.new) == ["green", "black"] }
        #expect(try folder.read("session.json") == #"{ "color": "black", "port": 2, "note": "mine" }"#)
        withExtendedLifetime(tokens) {}
    }

    @Test("A change of another type is delivered with its origin, also if an edit follows before anybody has read it")
    func origins() throws {
        let (network, theme) = (try open(Network()), try open(Theme()))
        let (latch, changes) = (Latch(), Received<Change<Int?>>())
        let first = theme.observe(\.color, on: .custom { _ in latch.pass() }) { _ in }
        let token = theme.observe(\.port) { changes.add($0) }
        try theme.update { $0.color = "gray" }
        eventually("the delivery is blocked") { latch.isWaitedFor }
        try network.update { $0.port = 5 }
        try network.flushBlocking()
        try edit(#"{ "color": "white", "port": 5 }"#)
        eventually("the edit is loaded") { network.snapshot.origin == .external }
        latch.open()
        eventually("the change is delivered") { changes.items.last?.new == 5 }
        #expect(changes.items.map(\.origin) == [.update])
        withExtendedLifetime((first, token)) {}
    }
}

// Files that not every type accepts.
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

// What sharing costs, and its end.
extension SharedFileTests {
    @Test("Opening a file decodes it once, and an update decodes nothing for a type that is not read")
    func decodings() throws {
        try folder.write("session.json", #"{ "port": 1 }"#)
        let counting = try open(CountedDecoding())
        #expect(counting.port == 1)
        #expect(CountedDecoding.count == 1)
        let network = try open(Network())
        let before = CountedDecoding.count
        for port in 1...100 { try network.update { $0.port = port } }
        #expect(CountedDecoding.count == before)
        for _ in 1...100 { #expect(counting.port == 100) }
        #expect(CountedDecoding.count == before + 1)
        try network.flushBlocking()
    }

    private struct CountedDecoding: Codable, Sendable {
        static let decodings = Lock(0)
        var port = 0

        static var count: Int { decodings.withLock { $0 } }

        init() {}

        init(from decoder: any Decoder) throws {
            Self.decodings.withLock { $0 += 1 }
            port = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .port)
        }
    }

    @Test("The watch ends with the last session, and the next session opens the file again") func end() throws {
        var network: Session<Network>? = try open(Network())
        let theme = try open(Theme())
        try network!.update { $0.port = 1 }
        network = nil
        try theme.update { $0.size = 2 }
        network = try open(Network())
        #expect(network!.port == 1)
        network = nil
        try theme.closeBlocking()
        #expect(theme.size == 2)
        #expect(throws: SessionError.self) { try theme.update { $0.size = 3 } }
        #expect(try JSONDocument(parsing: folder.readBytes("session.json")).value == ["port": 1, "size": 2])
        try folder.write("session.json", #"{ "port": 4 }"#)
        network = try open(Network())
        #expect(network!.port == 4)
        #expect(theme.port == 1)
    }

    @Test("A session that was closed is opened anew, also while those of other types are open") func reopened() throws {
        let (network, theme) = (try open(Network()), try open(Theme()))
        try network.update { $0.port = 1 }
        try network.closeBlocking()
        let next = try open(Network())
        #expect(next !== network && next.port == 1)
        try theme.update { $0.port = 2 }
        #expect(next.port == 2 && network.port == 1)
        try next.update { $0.port = 3 }
        #expect(theme.port == 3)
        try next.flushBlocking()
    }

    @Test("Threads that update and read through several types lose nothing") func threads() async throws {
        let (network, theme, tree) = (try open(Network()), try open(Theme()), try open(JSON.object([:])))
        let rounds = 300
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask { for _ in 0..<rounds { try network.update { $0.port += 1 } } }
                group.addTask { for _ in 0..<rounds { try theme.update { $0.size += 1 } } }
                group.addTask {
                    for number in 0..<rounds { try tree.update { $0["n\(number)"] = JSON(number) } }
                }
                group.addTask {
                    var last = 0
                    while last < 8080 + 2 * rounds {
                        let port = theme.port ?? 8080
                        #expect(port >= last)
                        last = port
                        _ = tree["size"]
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(network.port == 8080 + 2 * rounds && theme.port == network.port)
        #expect(theme.size == 12 + 2 * rounds && tree["size"]?.int == theme.size)
        try network.flushBlocking()
        #expect(try JSONDocument(parsing: folder.readBytes("session.json")).value == tree.snapshot.value)
    }
}

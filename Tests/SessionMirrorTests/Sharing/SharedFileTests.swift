import LosslessJSON
import SessionMirror
import TestSupport
import Testing

/// Sessions of several types on one file.
@Suite("One file, several types") struct SharedFileTests {
    struct Network: Codable, Sendable, Equatable {
        var port = 8080
        var hosts: [String] = []
    }

    struct Theme: Codable, Sendable, Equatable {
        var color = "blue"
        var size = 12
        var port: Int?
    }

    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "session.json")
    }

    func open<Root: Codable & Sendable>(
        _ defaults: Root, check: (@Sendable (Root) throws -> Void)? = nil
    ) throws -> Session<Root> {
        var options = SessionOptions()
        options.unobservedProblems = .ignore
        return try SharedFiles.shared.session(defaults, at: path, options: options, check: check)
    }

    /// Replaces the file as editors do.
    func edit(_ text: String) throws {
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

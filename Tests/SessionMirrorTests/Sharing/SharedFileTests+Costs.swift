import Locking
import LosslessJSON
import SessionMirror
import TestSupport
import Testing

/// What sharing costs, and its end.
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

import Locking
import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

/// How often a value is encoded and decoded by saves and loads.
@Suite("Coding by saves and loads", .serialized) struct CodingCountTests {
    private struct Settings: Codable, Sendable {
        static let counts = Lock((encoded: 0, decoded: 0))

        var launches = 0
        var names = ["a": 1]

        init() {}

        private enum CodingKeys: CodingKey { case launches, names }

        init(from decoder: any Decoder) throws {
            Self.counts.withLock { $0.decoded += 1 }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            launches = try container.decode(Int.self, forKey: .launches)
            names = try container.decode([String: Int].self, forKey: .names)
        }

        func encode(to encoder: any Encoder) throws {
            Self.counts.withLock { $0.encoded += 1 }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(launches, forKey: .launches)
            try container.encode(names, forKey: .names)
        }
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("settings.json", #"{"launches": 0, "names": {"a": 1}, "unknown": 1}"#)
    }

    private func open(watching: SessionOptions.Watching = .automatic) throws -> Session<Settings> {
        var options = SessionOptions()
        (options.savingDelay, options.watching) = (.seconds(3_600), watching)
        let session = try Session(Settings(), at: folder.path(of: "settings.json"), options: options)
        try save(session)
        return session
    }

    private func replaceFile(_ text: String) throws {
        try folder.write("new", text)
        try folder.rename("new", to: "settings.json")
    }

    private func save(_ session: Session<Settings>) throws {
        try session.update { $0.launches += 1 }
        try session.flushBlocking()
    }

    private func counts(of work: () throws -> Void) rethrows -> [Int] {
        Settings.counts.withLock { $0 = (0, 0) }
        try work()
        return Settings.counts.withLock { [$0.encoded, $0.decoded] }
    }

    @Test("A save encodes the value once and decodes nothing") func saving() throws {
        let session = try open()
        for _ in 1...3 { #expect(try counts { try save(session) } == [1, 0]) }
        #expect(try folder.read("settings.json") == #"{"launches": 4, "names": {"a": 1}, "unknown": 1}"#)
    }

    @Test("A load decodes the value once; the save after it also encodes what it has loaded") func loading() throws {
        let session = try open()
        let counted = try counts {
            try replaceFile(#"{"launches": 10, "names": {"a": 1}}"#)
            try session.waitUntilBlocking { $0.launches == 10 }
        }
        #expect(counted == [0, 1])
        #expect(try counts { try save(session) } == [2, 0])
        #expect(try counts { try save(session) } == [1, 0])
    }

    @Test("A save that merges an edit of another program decodes the edit and the result") func merging() throws {
        let session = try open(watching: .off)
        let counted = try counts {
            try replaceFile(#"{"launches": 1, "names": {"a": 1, "b": 2}}"#)
            try session.update { $0.launches = 2 }
            try session.flushBlocking()
        }
        #expect(counted == [1, 2])
        #expect(session.launches == 2 && session.names == ["a": 1, "b": 2])
    }
}

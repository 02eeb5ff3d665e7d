import FoundationEssentials
import LosslessJSON
import Synchronization
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Saves of a value with large collections") struct PartialSaveTests {
    /// A value that counts how often one of its kind is encoded.
    private struct Tenant: Codable, Sendable, BytewiseEquatable {
        static let encodings = Atomic(0)

        var number = 0
        var isOn = true
        var name = ""
        var created = Date(timeIntervalSince1970: 1_000_000_000)
        var identifier = UUID()

        init(_ number: Int) { self.number = number }

        enum CodingKeys: CodingKey { case number, isOn, name, created, identifier }

        func encode(to encoder: any Encoder) throws {
            Self.encodings.add(1, ordering: .relaxed)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(number, forKey: .number)
            try container.encode(isOn, forKey: .isOn)
            try container.encode(name, forKey: .name)
            try container.encode(created, forKey: .created)
            try container.encode(identifier, forKey: .identifier)
        }
    }

    private struct Tenants: Codable, Sendable {
        var title = ""
        var tenants: [String: Tenant] = [:]
        var list: [Tenant] = []
    }

    private let folder: TemporaryFolder
    private let session: Session<Tenants>

    private static let count = 500

    init() throws {
        folder = try TemporaryFolder()
        session = try Session(Tenants(), at: folder.path(of: "tenants.json"))
        try session.update { tenants in
            tenants.tenants = Dictionary(uniqueKeysWithValues: (0..<Self.count).map { ("tenant \($0)", Tenant($0)) })
            tenants.list = (0..<Self.count).map(Tenant.init)
        }
        try session.flushBlocking()
    }

    /// Changes the value, saves it, and returns how many tenants were encoded for that.
    private func encodings(_ change: (inout Tenants) -> Void) throws -> Int {
        let before = Tenant.encodings.load(ordering: .relaxed)
        try session.update(change)
        try session.flushBlocking()
        return Tenant.encodings.load(ordering: .relaxed) - before
    }

    private var saved: Tenants {
        get throws {
            let document = try JSONDocument(parsing: folder.read("tenants.json"))
            return try document.decode(Tenants.self, with: JSONValueDecoder(conversions: .standard))
        }
    }

    @Test("A save encodes only what the program has changed, also after edits of the file") func saves() throws {
        #expect(try encodings { $0.tenants["tenant 7"]?.name = "a name that is longer than fifteen bytes" } == 1)
        #expect(try encodings { $0.title = "title" } == 0)
        #expect(
            try encodings {
                $0.tenants["tenant 8"] = nil
                $0.tenants["new"] = Tenant(-1)
                $0.list.insert(Tenant(-2), at: 3)
                $0.list[4].isOn = false
            } == 3)
        let first = try saved
        #expect(first.tenants["tenant 7"]?.name == "a name that is longer than fifteen bytes")
        #expect(first.tenants["tenant 8"] == nil && first.tenants["new"]?.number == -1 && first.title == "title")
        #expect(first.list[3].number == -2 && !first.list[4].isOn && first.list.count == Self.count + 1)

        let text = try folder.read("tenants.json")
        try folder.write("edited", text.replacing("\"number\": 20,", with: "\"number\": 220,"))
        try folder.rename("edited", to: "tenants.json")
        eventually("the edit is loaded") { session.read { $0.tenants["tenant 20"]?.number == 220 } }
        #expect(try encodings { $0.tenants["tenant 9"]?.isOn = false } == 2 * Self.count + 2)
        #expect(try encodings { $0.tenants["tenant 10"]?.isOn = false } == 1)
        let second = try saved
        #expect(second.tenants["tenant 20"]?.number == 220 && second.list.contains { $0.number == 220 })
        #expect(second.tenants["tenant 9"]?.isOn == false && second.tenants["tenant 10"]?.isOn == false)
    }
}

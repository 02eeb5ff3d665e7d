import LosslessJSON
import Synchronization
import TestSupport
import Testing

@testable import SessionMirror

@Suite("Reloads of a value with large collections") struct PartialReloadTests {
    /// A value that counts how often one of its kind is decoded.
    private struct Tenant: Codable, Equatable, Sendable {
        static let decodings = Atomic(0)

        var number = 0
        var name = ""

        init(number: Int) { self.number = number }

        init(from decoder: any Decoder) throws {
            Self.decodings.add(1, ordering: .relaxed)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            number = try container.decode(Int.self, forKey: .number)
            name = try container.decodeIfPresent(String.self, forKey: .name) ?? ""
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
        let tenants = (0..<Self.count).map { "\"tenant \($0)\": {\"number\": \($0)}" }.joined(separator: ",\n    ")
        let list = (0..<Self.count).map { "{\"number\": \($0)}" }.joined(separator: ",\n    ")
        try folder.write(
            "tenants.json",
            "{\n  \"$schema\": \"tenants\", \"tenants\": {\n    \(tenants)\n  },\n  \"list\": [\n    \(list)\n  ]\n}\n")
        session = try Session(Tenants(), at: folder.path(of: "tenants.json"))
    }

    /// Edits the file as another program, and returns how many tenants were decoded until the change is there.
    private func decodings(
        replacing old: String, with new: String, until isLoaded: @escaping @Sendable (Tenants) -> Bool
    ) throws -> Int {
        let before = Tenant.decodings.load(ordering: .relaxed)
        let text = try folder.read("tenants.json")
        #expect(text.contains(old))
        try folder.write("new", text.replacing(old, with: new))
        try folder.rename("new", to: "tenants.json")
        eventually("the edit is loaded") { session.read(isLoaded) }
        return Tenant.decodings.load(ordering: .relaxed) - before
    }

    @Test("An edit decodes only what it changes, also after changes and saves of the program") func edits() throws {
        #expect(Tenant.decodings.load(ordering: .relaxed) == 2 * Self.count)
        let changed = try decodings(replacing: "\"tenant 7\": {\"number\": 7}", with: "\"tenant 7\": {\"number\": -7}")
        {
            $0.tenants["tenant 7"]?.number == -7
        }
        #expect(changed == 1)
        let removed = try decodings(replacing: "\"tenant 8\": {\"number\": 8},", with: "") {
            $0.tenants["tenant 8"] == nil
        }
        #expect(removed == 0)
        let added = try decodings(replacing: "\"list\": [", with: "\"list\": [{\"number\": -1}, ") {
            $0.list.first?.number == -1
        }
        #expect(added == 1)
        #expect(session.tenants.count == Self.count - 1 && session.list.count == Self.count + 1)
        #expect(session.tenants["tenant 9"]?.number == 9 && session.list.last?.number == Self.count - 1)

        // The program's own value replaces what was decoded.
        try session.update { $0.tenants["tenant 9"]?.name = "nine" }
        try session.flushBlocking()
        let first = try decodings(replacing: "{\"number\": 20}", with: "{\"number\": 220}") {
            $0.tenants["tenant 20"]?.number == 220
        }
        #expect(first >= Self.count)
        let second = try decodings(replacing: "{\"number\": 21}", with: "{\"number\": 221}") {
            $0.tenants["tenant 21"]?.number == 221
        }
        #expect(second == 2)
        #expect(session.tenants["tenant 9"]?.name == "nine" && session.list[21].number == 220)
    }
}

import LosslessJSON
import TestSupport
import Testing

#if !DEBUG  // the limits apply to optimized code

@Suite("Costs of decoding", .enabled(if: AllocationMeter.countsOptimizedCode))
struct CostsOfDecodingTests {
    struct Limits: Codable {
        var burst = 10
        var rate: Double? = 2.5
    }

    struct Section: Codable {
        var name = "section"
        var note: String?
        var limits = Limits()
        var list = [Limits(), Limits()]
        var byName = ["a": Limits()]
    }

    private func allocations(decoding json: JSON, findingUnknownKeys: Bool) throws -> Int {
        let decoder = JSONValueDecoder()
        var keys: [JSONUnknownKey] = []
        func decode() throws -> [Section] {
            if !findingUnknownKeys { return try decoder.decode([Section].self, from: json) }
            return try decoder.decode([Section].self, from: json, unknownKeys: &keys)
        }
        _ = try decode()
        let allocations = try AllocationMeter(of: decode).allocations
        #expect(keys.isEmpty)
        return allocations
    }

    @Test("Finding that no key is unknown allocates nothing")
    func unknownKeys() throws {
        let json = try JSONValueEncoder().encode(Array(repeating: Section(), count: 100))
        let plain = try allocations(decoding: json, findingUnknownKeys: false)
        #expect(try allocations(decoding: json, findingUnknownKeys: true) == plain)
    }

    @Test("Reading a scalar of a large object as a type allocates nothing")
    func typedAccess() {
        let json = JSON.object(JSONObject((0..<1_000).map { ("member \($0)", JSON($0)) }))
        let meter = AllocationMeter { json["member 500", as: Int.self] == 500 && json["none", as: String.self] == nil }
        #expect(meter.allocations == 0)
    }
}

#endif

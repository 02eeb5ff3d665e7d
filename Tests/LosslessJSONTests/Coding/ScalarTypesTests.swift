import LosslessJSON
import Testing

@Suite("Types that are scalars in JSON") struct ScalarTypesTests {
    private struct Everywhere<Value: Codable & Equatable>: Codable, Equatable {
        var member: Value
        var optional: Value?
        var elements: [Value]
        var nested: [[Value]]
        var optionals: [Value?]
        var dictionary: [String: Value]
    }

    private static let values: [any Codable & Equatable & Sendable] = [
        "text", true, 1.5, Float(1.5), 1, UInt(1), Int8(-1), UInt8(1), Int16(-1), UInt16(1), Int32(-1), UInt32(1),
        Int64(-1), UInt64.max, Int128.min, UInt128.max,
    ]

    @Test("are decoded as members, elements, optionals and values of dictionaries", arguments: values)
    func everywhere(value: any Codable & Equatable & Sendable) throws { try decode(value) }

    private func decode<Value: Codable & Equatable>(_ value: Value) throws {
        let everywhere = Everywhere(
            member: value, optional: value, elements: [value, value], nested: [[value], []], optionals: [nil, value],
            dictionary: ["key": value])
        let json = try JSONValueEncoder().encode(everywhere)
        #expect(try JSONValueDecoder().decode(Everywhere<Value>.self, from: json) == everywhere)
        try refuse(everywhere, json, at: "/member") { $0["member"] = [:] }
        try refuse(everywhere, json, at: "/elements/1") { $0["elements"]?[1] = [:] }
        try refuse(everywhere, json, at: "/nested/0/0") { $0["nested"] = [[[:]]] }
    }

    private func refuse<Value: Decodable>(
        _ value: Value, _ json: JSON, at path: String, _ mistake: (inout JSON) -> Void
    ) throws {
        var wrong = json
        mistake(&wrong)
        let error = #expect(throws: JSONCodingError.self) { try JSONValueDecoder().decode(Value.self, from: wrong) }
        #expect(error?.path.description == path)
        #expect(error?.code == .type)
    }
}

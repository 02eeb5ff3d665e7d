import LosslessJSON
import Testing

@Suite("Scalar types") struct ScalarTypesTests {
    private struct Container<Value: Codable & Equatable>: Codable, Equatable {
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

    @Test("Scalars are decoded as members, elements, optionals and dictionary values", arguments: values)
    func container(value: any Codable & Equatable & Sendable) throws { try decode(value) }

    private func decode<Value: Codable & Equatable>(_ value: Value) throws {
        let container = Container(
            member: value, optional: value, elements: [value, value], nested: [[value], []], optionals: [nil, value],
            dictionary: ["key": value])
        let json = try JSONValueEncoder().encode(container)
        #expect(try JSONValueDecoder().decode(Container<Value>.self, from: json) == container)
        try expectTypeError(container, json, at: "/member") { $0["member"] = [:] }
        try expectTypeError(container, json, at: "/elements/1") { $0["elements"]?[1] = [:] }
        try expectTypeError(container, json, at: "/nested/0/0") { $0["nested"] = [[[:]]] }
    }

    private func expectTypeError<Value: Decodable>(
        _ value: Value, _ json: JSON, at path: String, _ change: (inout JSON) -> Void
    ) throws {
        var wrong = json
        change(&wrong)
        let error = #expect(throws: JSONCodingError.self) { try JSONValueDecoder().decode(Value.self, from: wrong) }
        #expect(error?.path.description == path)
        #expect(error?.code == .type)
    }
}

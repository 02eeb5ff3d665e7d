import LosslessJSON
import Testing

/// Documents crafted to crash a process: each is decoded as many types, compared, merged, edited, printed
/// and searched. A trap ends the tests.
@Suite("Hostile documents") struct HostileDocumentTests {
    static let exponents = [
        "9223372036854775807", "-9223372036854775808", "-9223372036854775809", "9223372036854775808", "999999999999",
        "-999999999999", "1000000000000000000", "-1000000000000000000", String(repeating: "9", count: 400), "0", "-0",
    ]

    static let numbers =
        ["1e", "-1.5E", "0.000e", "123456789012345678901234567890e"].flatMap { start in exponents.map { start + $0 } }
        + [
            "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
            "18446744073709551616", "170141183460469231731687303715884105728", "255", "256", "-129", "1.0", "-0", "0.1",
            String(repeating: "9", count: 5_000), "0." + String(repeating: "0", count: 5_000) + "1",
            "1" + String(repeating: "0", count: 5_000) + "e-5000", "1.7976931348623159e308", "4.9e-325",
        ]

    static let texts =
        numbers
        + [
            #""""#, #""\u0000""#, #""1""#, #""-9223372036854775809""#, #""é""#, #""e\u0301""#,
            #""9999-12-31T23:59:60Z""#,
            "null", "true", "[]", "{}", "[null]", "[[]]", "[1, \"a\", null]", #"{"": {"": {"": 0}}}"#,
            #"{"é": 1, "e\u0301": 2}"#, #"{"a": 1, "a": 2, "\u0061": 3}"#,
            #"{"1": "x", "01": "y", "+1": "z", "-0": ""}"#,
            #"{"99999999999999999999": "x"}"#, #"["a", 1, "a", 2]"#, #"["a", 1, "b"]"#,
            #"{"children": [{"children": []}]}"#,
            #"{"one": {"_0": 1}, "two": {}}"#, #"{"super": {"super": null}}"#,
            String(repeating: "[", count: 510) + String(repeating: "]", count: 510),
            String(repeating: #"{"children":["#, count: 255) + String(repeating: "]}", count: 255),
        ]

    /// A tree of arbitrary depth.
    struct Tree: Codable, Equatable { var children: [Tree] = [] }

    /// A tree with optional members.
    struct DefaultTree: Defaulted, Equatable {
        var children: [DefaultTree] = []
        var name = "leaf"
    }

    enum Either: Codable, Equatable {
        case one(Int)
        case two
    }
    enum Word: String, Codable, CaseIterable, CodingKeyRepresentable { case a, b }
    enum Digit: UInt8, Codable, CaseIterable {
        case one = 1
        case two
    }
    struct Inherited: Codable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Word.Keys.self)
            _ = try container.superDecoder().container(keyedBy: Word.Keys.self).superDecoder()
        }
        func encode(to encoder: any Encoder) throws {}
    }

    private func decode<Value: Codable & Equatable>(_ type: Value.Type, _ document: JSONDocument) throws {
        guard let value = try? document.decode(type) else { return }
        let written = try JSONValueEncoder().encode(value)
        #expect(try JSONValueDecoder().decode(type, from: written) == value, "\(type)")
    }

    @Test("Decoding a hostile document as any type either round-trips or fails without a trap", arguments: texts)
    func decoding(text: String) throws {
        let document = try JSONDocument(parsing: text)
        try decode(Int.self, document)
        try decode(Int8.self, document)
        try decode(UInt64.self, document)
        try decode(Int128.self, document)
        try decode(UInt128.self, document)
        try decode(Double.self, document)
        try decode(Float.self, document)
        try decode(Bool?.self, document)
        try decode(String.self, document)
        try decode([Int].self, document)
        try decode([String?].self, document)
        try decode([[JSON]].self, document)
        try decode(Set<String>.self, document)
        try decode([String: JSON].self, document)
        try decode([Int: String].self, document)
        try decode([UInt8: String].self, document)
        try decode([Double: Int].self, document)
        try decode([Word: Int].self, document)
        try decode([[String]: Int].self, document)
        try decode(Either.self, document)
        try decode(Word.self, document)
        try decode(Digit.self, document)
        try decode(Tree.self, document)
        try decode(DefaultTree.self, document)
        try decode(JSON.self, document)
        _ = try? document.decode(Inherited.self)
    }

    @Test("A hostile document is compared, merged, edited, printed and searched without a trap", arguments: texts)
    func everythingElse(text: String) throws {
        let document = try JSONDocument(parsing: "{\"a\": \(text), \"b\": [\(text), 1]}")
        let value = document.value
        let others: [JSON] = [nil, 1, "x", [], [:], ["a": 1], ["a": [1, 2], "b": 2], try JSON(parsing: text)]
        for other in others {
            #expect(value != other && (value.hashValue, other.hashValue) != (0, 0))
            let changes = other.difference(from: value)
            #expect(try document.applying(changes).value == other)
            #expect(try value.applying(changes) == other)
            for base in others {
                let merge = JSON.merge(base: base, ours: value, theirs: other)
                #expect(try document.applying(merge.value.difference(from: value)).value == merge.value)
            }
        }
        #expect(try JSON(parsing: JSONPrinter().string(value)) == value)
        #expect(
            try document.formatted(lineWidth: .min).value == value && document.formatted(lineWidth: .max).value == value
        )
        for token in ["a", "b", "0", "-", "-1", "", "18446744073709551616", "9223372036854775807", "01"] {
            for path in [[token], ["b", token], ["a", token, token], ["b", "0", token]] {
                let pointer = JSONPointer(path)
                _ = document.location(of: pointer)
                _ = document.locationOfKey(of: pointer)
                _ = document.locations(of: [pointer, pointer])
                _ = try? document.setting(pointer, to: 1)
                _ = try? document.removing(pointer)
                var copy = value
                copy[token]?[token] = 1
                copy["b"]?[Int(token) ?? 0] = nil
                copy["b"]?[Int(token) ?? 0]?[token] = 1
            }
        }
        for offset in [Int.min, -1, 0, 3, Int.max] {
            #expect(document.location(at: offset).line == 1)
            #expect(document.excerpt(at: offset).line.unicodeScalars.count < 200)
        }
    }

    @Test("Edits at a path of 100,000 tokens are rejected")
    func pointers() throws {
        let long = JSONPointer(Array(repeating: "a", count: 100_000))
        let document = try JSONDocument(parsing: "{\"a\": {\"a\": [1]}}")
        #expect(throws: JSONEditError.self) { try document.setting(long, to: 1) }
        #expect(throws: JSONEditError.self) { try document.removing(long) }
        #expect(throws: JSONEditError.self) { try document.applying([JSONChange(at: long, from: nil, to: 1)]) }
        #expect(document.location(of: long) == nil && document.value[at: long] == nil)
    }
}

extension HostileDocumentTests.Word {
    enum Keys: CodingKey { case a }
}

import TestSupport
import Testing

@testable import LosslessJSON

#if !DEBUG  // the limits apply to optimized code

@Suite("Allocations of parsing", .enabled(if: AllocationMeter.countsOptimizedCode))
struct CostsOfParsingTests {
    /// In addition to one per non-empty container: the copy of the text, and the builder's stack.
    static let constant = 2

    static func allocations(_ text: String) throws -> Int {
        let bytes = Array(text.utf8)
        _ = try JSONDocument(parsing: bytes)
        return try AllocationMeter { try JSONDocument(parsing: bytes) }.allocations
    }

    /// Non-empty containers.
    static func containers(_ value: JSON) -> Int {
        switch value {
        case .array(let array): (array.isEmpty ? 0 : 1) + array.lazy.map(containers).reduce(0, +)
        case .object(let object): (object.isEmpty ? 0 : 1) + object.lazy.map { containers($0.value) }.reduce(0, +)
        default: 0
        }
    }

    @Test(
        "A scalar or an empty container needs no allocation of its own",
        arguments: [
            "1", "-12345678901234567890.123e-1000", "true", "null", #""""#, #""a string of more than fourteen bytes""#,
            #""an escaped \u0065 string of more than fourteen bytes""#, "[]", "{}", " // comment\n []",
        ])
    func scalars(text: String) throws {
        #expect(try CostsOfParsingTests.allocations(text) == CostsOfParsingTests.constant)
    }

    @Test("A container of up to 32 items needs one allocation", arguments: [1, 2, 31, 32])
    func smallContainers(count: Int) throws {
        let scalars = [
            "1", "12345678901234567890", "null", #""short""#, #""a string of many, many letters""#, "{}", "[]",
        ]
        let elements = (0..<count).map { scalars[$0 % scalars.count] }
        let members = elements.enumerated().map { "\"\($0 % 2 == 0 ? "k" : "a key of many letters")\($0)\":\($1)" }
        #expect(try CostsOfParsingTests.allocations("[" + elements.joined(separator: ",") + "]") == 3)
        #expect(try CostsOfParsingTests.allocations("{" + members.joined(separator: ",") + "}") == 3)
    }

    @Test(
        "A nested document needs one allocation per non-empty container and two more",
        arguments: SeededGenerator.seeds)
    func nested(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        func text(_ depth: Int) -> String {
            let inner = (0..<random.below(9)).map { number in
                let value = depth > 0 && random.chance(60) ? text(depth - 1) : "\"a long enough string \(number)\""
                return (key: "\"key \(number)\"", value: value)
            }
            if random.chance(50) { return "[" + inner.map(\.value).joined(separator: ", ") + "]" }
            return "{" + inner.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
        }
        let whole = "[" + (0..<20).map { _ in text(4) }.joined(separator: ",") + "]"
        let containers = try CostsOfParsingTests.containers(JSON(parsing: whole))
        #expect(containers > 100, "the document is large enough to measure")
        let allocations = try CostsOfParsingTests.allocations(whole)
        #expect(allocations == containers + CostsOfParsingTests.constant, "seed \(seed)")
    }

    @Test(
        "A large array needs one allocation per 30 scalars, a large object at most one per 8 members",
        arguments: [1_000, 10_000, 100_000])
    func largeContainers(count: Int) throws {
        let numbers = "[" + (0..<count).map { "\($0)" }.joined(separator: ",") + "]"
        let strings = "[" + (0..<count).map { "\"a string of many letters \($0)\"" }.joined(separator: ",") + "]"
        let (short, long) = (CostTexts.members(count), CostTexts.members(count, key: CostTexts.longKey))
        for text in [numbers, strings] { #expect(try CostsOfParsingTests.allocations(text) <= count / 30 + 20) }
        // The index has pages too, between a quarter full and full.
        for text in [short, long] { #expect(try CostsOfParsingTests.allocations(text) <= count / 8) }
    }

    @Test("Typical records need one allocation per non-empty container and a few more")
    func records() throws {
        let text = CostTexts.records(2_000)
        let containers = try CostsOfParsingTests.containers(JSON(parsing: text))
        let allocations = try CostsOfParsingTests.allocations(text)
        #expect(allocations >= containers && allocations <= containers + 2_000 / 30 + 20)
    }

    @Test("Decoding a key with escapes takes one more allocation, or two if the key is long")
    func escapedKeys() throws {
        #expect(try CostsOfParsingTests.allocations(#"{"k\u0065y": 1}"#) <= 3 + 1)
        #expect(try CostsOfParsingTests.allocations(#"{"k\u0065y of more than fourteen bytes": 1}"#) <= 3 + 2)
    }
}

#endif

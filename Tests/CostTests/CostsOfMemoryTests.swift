import TestSupport
import Testing

@testable import LosslessJSON

#if !DEBUG  // the limits apply to optimized code

@Suite("Memory of documents", .enabled(if: AllocationMeter.countsOptimizedCode))
struct CostsOfMemoryTests {
    /// The memory of a document, including its text.
    private static func liveBytes(_ text: String) throws -> Int {
        let bytes = Array(text.utf8)
        _ = try JSONDocument(parsing: bytes)
        return try AllocationMeter { try JSONDocument(parsing: bytes) }.liveBytes
    }

    /// The memory of a document as a multiple of its text.
    private static func ratio(_ text: String) throws -> Double {
        try Double(liveBytes(text)) / Double(text.utf8.count)
    }

    @Test("Typical indented documents take at most 2.25 times the size of their text")
    func typical() throws {
        let records = try Self.ratio(JSONPrinter().string(JSON(parsing: CostTexts.records(2_000))))
        #expect(records <= 2.25, "many short members")
        #expect(try Self.ratio(CostTexts.settings(1_000) { "\"value \($0) of \($1), in some words\"" }) <= 2)
        #expect(
            try Self.ratio(
                "[" + Array(repeating: "\"some words in a string\"", count: 50_000).joined(separator: ", ") + "]") <= 2)
    }

    @Test("Arrays of long numbers and objects of 100,000 keys take at most 3.2 times the size of their text")
    func worst() throws {
        #expect(try Self.ratio(CostTexts.outline(50_000)) <= 3.2)
        #expect(try Self.ratio(CostTexts.members(100_000, key: { "a key \($0)" })) <= 3.2)
        #expect(try Self.ratio(CostTexts.members(100_000, key: CostTexts.longKey)) <= 3.2)
    }

    /// The bound for every text: the size of the text plus a constant for each value in it.
    @Test("A value takes 16 bytes as an element, 32 to 48 as a member, and 64 more as a container")
    func bound() throws {
        let count = 40_000
        let pairs = "[" + Array(repeating: "[0]", count: count).joined(separator: ",") + "]"
        #expect(try Self.liveBytes(pairs) <= pairs.utf8.count + count * (16 + 16 + 64))
        let single = "[" + Array(repeating: #"{"a":0}"#, count: count).joined(separator: ",") + "]"
        #expect(try Self.liveBytes(single) <= single.utf8.count + count * (16 + 32 + 64))
        for members in [33, 100, 520, 1_000, 4_200, 33_000, 100_000] {
            let wide = CostTexts.members(members)
            #expect(try Self.liveBytes(wide) <= wide.utf8.count + members * 48 + 1_000, "\(members) members")
        }
    }

    @Test("Releasing a parsed, an edited and a rejected document frees all memory")
    func nothingLeft() throws {
        let text = Array(CostTexts.records(50).utf8)
        func use() throws -> Int {
            let document = try JSONDocument(parsing: text)
            var value = document.value
            value["statuses"]?[7]?["user"] = nil
            let changes = value.difference(from: document.value).count
            let rejected = try? JSONDocument(parsing: Array(text.dropLast(4)))
            return changes + (rejected == nil ? 1 : 0)
        }
        #expect(try use() == 2)
        #expect(try AllocationMeter { try use() }.liveBytes == 0)
    }
}

#endif

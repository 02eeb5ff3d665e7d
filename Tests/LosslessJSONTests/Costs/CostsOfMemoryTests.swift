import TestSupport
import Testing

@testable import LosslessJSON

#if !DEBUG  // what is counted is optimised code

@Suite("Costs in memory", .enabled(if: AllocationMeter.countsOptimisedCode))
struct CostsOfMemoryTests {
    /// What a document takes, the text included.
    private static func liveBytes(_ text: String) throws -> Int {
        let bytes = Array(text.utf8)
        _ = try JSONDocument(parsing: bytes)
        return try AllocationMeter { try JSONDocument(parsing: bytes) }.liveBytes
    }

    /// How many times as large as its text a document is.
    private static func ratio(_ text: String) throws -> Double {
        try Double(liveBytes(text)) / Double(text.utf8.count)
    }

    @Test("files as people have them, indented, take about twice their text")
    func typical() throws {
        let records = try Self.ratio(JSONPrinter().string(JSON(parsing: CostTexts.records(2_000))))
        #expect(records <= 2.25, "many short members")
        #expect(try Self.ratio(CostTexts.settings(1_000) { "\"value \($0) of \($1), in some words\"" }) <= 2)
        #expect(
            try Self.ratio(
                "[" + Array(repeating: "\"some words in a string\"", count: 50_000).joined(separator: ", ") + "]") <= 2)
    }

    @Test("long numbers in pairs, and 100,000 keys, take at most 3.2 times their text")
    func worst() throws {
        #expect(try Self.ratio(CostTexts.outline(50_000)) <= 3.2)
        #expect(try Self.ratio(CostTexts.members(100_000, key: { "a key \($0)" })) <= 3.2)
        #expect(try Self.ratio(CostTexts.members(100_000, key: CostTexts.longKey)) <= 3.2)
    }

    /// The bound that holds for every text: beside the text itself so much for each thing in it.
    @Test("an element takes 16 bytes, a member 32, in a large object 48, and a container 64 beside them")
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

    @Test("everything is given back when a document is let go, parsed, edited or refused")
    func nothingLeft() throws {
        let text = Array(CostTexts.records(50).utf8)
        func use() throws -> Int {
            let document = try JSONDocument(parsing: text)
            var value = document.value
            value["statuses"]?[7]?["user"] = nil
            let changes = value.difference(from: document.value).count
            let refused = try? JSONDocument(parsing: Array(text.dropLast(4)))
            return changes + (refused == nil ? 1 : 0)
        }
        #expect(try use() == 2)
        #expect(try AllocationMeter { try use() }.liveBytes == 0)
    }
}

#endif

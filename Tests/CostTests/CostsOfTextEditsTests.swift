import TestSupport
import Testing

@testable import LosslessJSON

#if !DEBUG  // the limits apply to optimized code

@Suite("Allocations of text edits", .enabled(if: AllocationMeter.countsOptimizedCode))
struct CostsOfTextEditsTests {
    private func cost(_ records: Int, _ edit: (JSONDocument) throws -> JSONDocument) throws -> Int {
        let document = try JSONDocument(parsing: CostTexts.records(records))
        return try AllocationMeter { try edit(document) }.allocations
    }

    @Test("Setting a value in a text of 2,000 records takes at most six more allocations than in one of 20")
    func oneValue() throws {
        let costs = try [20, 2_000].map { count in
            try cost(count) { try $0.setting(JSONPointer(["statuses", "\(count / 2)", "language"]), to: "ja") }
        }
        #expect(costs[0] <= 40 && costs[1] <= costs[0] + 6, "\(costs)")
    }

    @Test("Merging two small edits takes at most four more allocations among 100,000 keys than among 1,000")
    func merge() {
        let costs = [1_000, 100_000].map { count in
            let base = JSON.object(JSONObject((0..<count).map { ("key \($0)", JSON($0)) }))
            var (ours, theirs) = (base, base)
            ours["key 7"] = "ours"
            theirs["key 8"] = "theirs"
            return AllocationMeter { JSON.merge(base: base, ours: ours, theirs: theirs).conflicts.count }.allocations
        }
        #expect(costs[0] <= 8 && costs[1] <= costs[0] + 4, "\(costs)")
    }

    @Test("A thousand edits leave at most three times the memory of a fresh load", arguments: [1, 3, 30])
    func manyEdits(length: Int) throws {
        let base = try JSONDocument(parsing: CostTexts.records(100))
        func edited() throws -> JSONDocument {
            try (0..<1_000).reduce(base) { document, number in
                let words = (0..<length).map { "word \($0 &* 31 &+ number)" }.joined(separator: " ")
                return try document.setting(
                    JSONPointer(["statuses", "\(number % 100)", "language"]), to: JSON(words))
            }
        }
        let text = try edited().bytes
        let fresh = try AllocationMeter { try JSONDocument(parsing: text) }
        let newest = try AllocationMeter { try edited() }
        #expect(Double(newest.liveBytes) <= 3 * Double(fresh.liveBytes))
    }
}

#endif

import TestSupport
import Testing

@testable import LosslessJSON

#if !DEBUG  // the limits apply to optimized code

@Suite("Allocations of comparing", .enabled(if: AllocationMeter.countsOptimizedCode))
struct CostsOfComparingTests {
    @Test("Comparing a value with itself or an unchanged copy allocates nothing")
    func unchanged() throws {
        let base = try JSON(parsing: CostTexts.records(200))
        var copy = base
        copy["statuses"]?[5]?["language"] = "ja"
        let meter = AllocationMeter { base.difference(from: base).count + copy.difference(from: base).count }
        #expect(meter.allocations == 0)
        let equality = AllocationMeter { base == copy }
        #expect(equality.allocations == 0)
    }

    @Test("The difference of equal values without shared storage allocates at most twice per section")
    func equalButApart() throws {
        let text = CostTexts.settings(60) { "\"value \($0) of \($1), in some words\"" }
        let (base, twin) = (try JSON(parsing: text), try JSON(parsing: text))
        let meter = AllocationMeter { base.difference(from: twin).count }
        #expect(base.difference(from: twin).isEmpty)
        #expect(meter.allocations <= 2 * 60 + 4)
    }

    @Test(
        "The difference for one changed member costs the same few allocations among 1,000 and 100,000 members",
        arguments: ["key 7", "key 999", "new key"])
    func oneChange(key: String) {
        let costs = [1_000, 100_000].map { count in
            let base = JSON.object(JSONObject((0..<count).map { ("key \($0)", JSON($0)) }))
            var changed = base
            changed[key] = "changed"
            #expect(changed.difference(from: base).map(\.path) == [JSONPointer([key])])
            return AllocationMeter { changed.difference(from: base).count }.allocations
        }
        #expect(costs[0] == costs[1] && costs[0] <= 5)
    }

    @Test("The difference for 200 changes among 100,000 members costs at most three allocations each")
    func manyChanges() {
        let base = JSON.object(JSONObject((0..<100_000).map { ("key \($0)", JSON($0)) }))
        var changed = base
        for number in stride(from: 0, to: 100_000, by: 500) { changed["key \(number)"] = "changed" }
        #expect(changed.difference(from: base).count == 200)
        #expect(AllocationMeter { changed.difference(from: base).count }.allocations <= 200 * 3 + 10)
    }

    @Test("Reparsing an unchanged text allocates nothing")
    func sameText() throws {
        let text = Array(CostTexts.records(100).utf8)
        let document = try JSONDocument(parsing: text)
        #expect(try AllocationMeter { try document.reparsed(text) }.allocations == 0)
    }
}

#endif

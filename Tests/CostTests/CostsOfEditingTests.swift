import TestSupport
import Testing

@testable import LosslessJSON

#if !DEBUG  // the limits apply to optimized code

@Suite("Allocations of lookups, copies and edits", .enabled(if: AllocationMeter.countsOptimizedCode))
struct CostsOfEditingTests {
    static func object(_ count: Int, key: (Int) -> String = { "key \($0)" }) -> JSON {
        .object(JSONObject((0..<count).map { (key($0), JSON($0)) }))
    }

    @Test(
        "Looking up a key allocates nothing, for short and long, present and missing keys",
        arguments: [1, 10, 32, 33, 1_000, 100_000])
    func lookups(count: Int) {
        let (short, long) = (Self.object(count), Self.object(count, key: CostTexts.longKey))
        let keys = ["key 0", "key \(count - 1)", "key \(count / 2)", "not there"]
        let longKeys = [
            CostTexts.longKey(0), CostTexts.longKey(count - 1), CostTexts.longKey(count), "configuration-key-",
        ]
        let meter = AllocationMeter {
            for key in keys { blackHole(short[key]?.int ?? 0) }
            for key in longKeys { blackHole(long[key]?.int ?? 0) }
        }
        #expect(meter.allocations == 0)
        #expect(
            short["key \(count - 1)"]?.int == count - 1 && long[longKeys[1]]?.int == count - 1
                && long[longKeys[2]] == nil)
    }

    @Test("A lookup through several levels and a numeric view allocate nothing")
    func levels() throws {
        let value = try JSON(parsing: #"{"http": {"servers": [{"a port with a long name": 8080, "ratio": 0.25}]}}"#)
        let meter = AllocationMeter {
            blackHole(value["http"]?["servers"]?[0]?["a port with a long name"]?.int ?? 0)
            blackHole(Int(value["http"]?["servers"]?[0]?["ratio"]?.double ?? 0))
        }
        #expect(meter.allocations == 0)
    }

    @Test("Copying a value of any size allocates nothing", arguments: [1, 32, 100_000])
    func copies(count: Int) {
        let value = Self.object(count)
        let meter = AllocationMeter {
            let copy = value
            blackHole(copy.object?.count ?? 0)
        }
        #expect(meter.allocations == 0)
    }

    /// The cost of one edit while the previous version stays alive.
    static func cost(_ count: Int, _ key: String, _ value: JSON?) -> AllocationMeter {
        let base = object(count)
        var warm = base
        warm[key] = value
        var copy = base
        let meter = AllocationMeter { copy[key] = value }
        extendLifetime((base, warm, copy))
        return meter
    }

    @Test("Replacing a value copies at most one page per level", arguments: [(1_000, 4), (100_000, 6)])
    func replacing(count: Int, pages: Int) {
        for key in ["key 0", "key \(count / 2)", "key \(count - 1)"] {
            let meter = Self.cost(count, key, "new")
            #expect(meter.allocations <= pages, "\(count) members")
            #expect(meter.allocatedBytes <= 1_200 * pages, "\(count) members")
        }
    }

    @Test(
        "Inserting a member copies one path of member pages and one of index pages",
        arguments: [(1_000, 8), (100_000, 12)])
    func inserting(count: Int, pages: Int) {
        let meter = Self.cost(count, "a new key", 1)
        #expect(meter.allocations <= pages)
        #expect(meter.allocatedBytes <= 1_200 * pages)
    }

    @Test(
        "Removing a member copies one path of member pages and one of index pages",
        arguments: [(1_000, 8), (100_000, 12)])
    func removing(count: Int, pages: Int) {
        let meter = Self.cost(count, "key 7", nil)
        #expect(meter.allocations <= pages)
        #expect(meter.allocatedBytes <= 1_200 * pages)
    }

    @Test("An edit among 100,000 keys takes at most three times the memory of one among 1,000")
    func ratio() {
        for (key, value) in [("key 500", "new"), ("a new key", "new"), ("key 500", nil)] as [(String, JSON?)] {
            let (small, large) = (Self.cost(1_000, key, value), Self.cost(100_000, key, value))
            #expect(large.allocatedBytes <= 3 * small.allocatedBytes, "\(key)")
            #expect(large.allocations <= 3 * small.allocations, "\(key)")
            #expect(large.liveBytes <= 3 * small.liveBytes, "\(key)")
        }
    }

    @Test("An edit deep in a document copies only the path to the edited value")
    func deepEdit() throws {
        let base = try JSON(parsing: CostTexts.records(1_000))
        var copy = base
        copy["statuses"]?[500]?["user"]?["friends"] = 1
        let meter = AllocationMeter { copy["statuses"]?[501]?["user"]?["friends"] = 2 }
        // Four containers; the array of a thousand elements has three levels.
        #expect(meter.allocations <= 8 && meter.allocatedBytes <= 8 * 1_200)
        #expect(copy.difference(from: base).count == 2)
    }

    @Test("Appending to a large array and replacing an element copy only one path", arguments: [1_000, 100_000])
    func arrays(count: Int) {
        let base = JSONArray((0..<count).map { JSON($0) })
        var (appended, replaced) = (base, base)
        let append = AllocationMeter { appended.append(1) }
        let replace = AllocationMeter { replaced[count / 2] = "new" }
        for meter in [append, replace] { #expect(meter.allocations <= 5 && meter.allocatedBytes <= 5 * 700) }
        #expect(base.count == count && appended.count == count + 1)
    }
}

/// Keeps the optimizer from removing the computation of a value.
@inline(never)
private func blackHole(_ value: Int) { precondition(value >= 0) }

#endif

import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Objects compared with an ordered dictionary")
struct JSONObjectModelTests {
    /// Around one page of members, around one page of the index, and two and three levels of pages.
    static let edges =
        [0, 1, 2, 16, 17, 31, 32, 33, 34, 63, 64, 65, 1_023, 1_024, 1_025]
        + (Thoroughness.isFull ? [32_767, 32_768, 32_769] : [32_769])

    static func keys(_ count: Int) -> [String] {
        (0..<count).map { $0 % 3 == 0 ? "a key of many letters \($0)" : "k\($0)" }
    }

    @Test("Objects built from pairs, from a text and key by key are equal", arguments: edges)
    func building(count: Int) throws {
        let pairs = JSONObjectModelTests.keys(count).enumerated().map { ($1, JSON($0)) }
        let atOnce = JSONObject(pairs)
        let parsed = try #require(try JSON(parsing: atOnce.description).object)
        // All but the last 1,100 members are added at once, to save time.
        var oneByOne = JSONObject(pairs.dropLast(1_100))
        for (key, value) in pairs.suffix(1_100) { oneByOne[key] = value }
        for object in [atOnce, parsed, oneByOne] {
            #expect(object.count == count)
            #expect(object.fault == nil)
            #expect(object.elementsEqual(pairs) { $0.key == $1.0 && $0.value == $1.1 })
            #expect(pairs.suffix(1_100).allSatisfy { object[$0.0] == $0.1 })
        }
        #expect(atOnce == oneByOne && atOnce == parsed)
    }

    @Test(
        "Any member of an object can be replaced and removed, at sizes around a page boundary",
        arguments: [0, 1, 2, 3, 16, 17, 31, 32, 33, 34, 35, 64, 65])
    func everyMember(count: Int) {
        let base = ObjectModel(JSONObjectModelTests.keys(count))
        let object = JSONObject(base.members.map { ($0.key, $0.value) })
        for (key, _) in base.members {
            for value in [Optional("new"), .some(.null), .none] as [JSON?] {
                var (model, copy) = (base, object)
                model[key] = value
                copy[key] = value
                if let fault = model.fault(of: copy) {
                    Issue.record("\(fault), \(count) members, \(key) set to \(value?.description ?? "nothing")")
                }
            }
        }
        #expect(base.fault(of: object) == nil)
    }

    @Test("An object emptied from either end and refilled matches the model at every size", arguments: [33, 64, 100])
    func emptying(count: Int) {
        let keys = JSONObjectModelTests.keys(count)
        for order in [keys, keys.reversed()] {
            var model = ObjectModel(keys)
            var object = JSONObject(model.members.map { ($0.key, $0.value) })
            for (step, key) in (order + order).enumerated() {
                model[key] = step < count ? .none : JSON(true)
                object[key] = step < count ? .none : JSON(true)
                if let fault = model.fault(of: object) {
                    Issue.record("\(fault), \(count) members, step \(step)")
                    return
                }
            }
        }
    }

    @Test("An object is rebuilt when more than half of its positions would be tombstones")
    func tombstones() {
        let keys = JSONObjectModelTests.keys(100)
        var object = JSONObject(keys.map { ($0, 1) })
        for key in keys[..<49] { object[key] = nil }
        #expect(object.count == 51 && object.positionCount == 100)
        object[keys[49]] = nil
        #expect(object.count == 50 && object.positionCount == 50)
        #expect(object.fault == nil)
    }

    @Test(
        "Random edits of an object match the model and leave earlier versions unchanged",
        arguments: SeededGenerator.seeds, [(pool: 12, steps: 300), (pool: 50, steps: 700), (pool: 260, steps: 900)])
    func random(seed: UInt64, size: (pool: Int, steps: Int)) {
        var random = SeededGenerator(seed)
        let pool = JSONObjectModelTests.keys(size.pool)
        var (model, object) = (ObjectModel(), JSONObject())
        var versions = [(model, object)]
        var growth = 80
        for step in 0..<size.steps {
            if step % 120 == 0 { growth = random.pick([15, 50, 85]) }
            if random.chance(1) { (model, object) = (ObjectModel(), JSONObject()) }
            let key = random.pick(pool)
            let value = random.pick([.null, JSON(random.below(9)), "a string, longer than fourteen"])
            let isSet = random.chance(growth)
            model[key] = isSet ? value : .none
            object[key] = isSet ? value : .none
            versions.append((model, object))
            if let fault = object.fault {
                Issue.record("\(fault), seed \(seed), step \(step)")
                return
            }
        }
        for (step, (model, object)) in versions.enumerated() {
            let fault = step % 8 == 0 ? model.fault(of: object) : model.change(in: object)
            if let fault {
                Issue.record("version \(step): \(fault), seed \(seed)")
                return
            }
        }
    }

    @Test("A key that is removed and set again moves to the end without accumulating tombstones")
    func movingToTheEnd() {
        let keys = JSONObjectModelTests.keys(40)
        var model = ObjectModel(keys)
        var object = JSONObject(keys.enumerated().map { ($1, JSON($0)) })
        for step in 0..<300 {
            let key = keys[step % 7]
            for value in [.none, JSON(step)] as [JSON?] {
                model[key] = value
                object[key] = value
            }
            #expect(object.positionCount <= 2 * object.count, "step \(step)")
        }
        #expect(model.fault(of: object) == nil)
    }
}

import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Members replaced by others")
struct JSONObjectSplicingTests {
    private typealias Pairs = [(key: String, value: JSON)]

    private func pairs(_ object: JSONObject) -> Pairs { object.map { ($0.key, $0.value) } }

    private func expect(_ object: JSONObject, _ pairs: Pairs, _ comment: Comment) {
        #expect(object.fault == nil, comment)
        #expect(object.positionCount == pairs.count, comment)
        #expect(object.elementsEqual(pairs) { $0.key == $1.key && $0.value == $1.value }, comment)
        #expect(pairs.allSatisfy { object[$0.key] == $0.value }, comment)
    }

    @Test(
        "A run of members is replaced by one of any length, and the version before stays",
        arguments: [2, 31, 32, 33, 34, 65, 1_023, 1_024, 1_025, 3_000])
    func random(count: Int) {
        var random = SeededGenerator(UInt64(count))
        var object = JSONObject(JSONObjectModelTests.keys(count).enumerated().map { ($1, JSON($0)) })
        var model = pairs(object)
        for step in 0..<Thoroughness.edits(inFull: 1_200, otherwise: 400) / 40 {
            let lower = random.below(model.count + 1)
            let upper = min(model.count, lower + random.pick([0, 0, 1, 1, 2, 40]))
            let new: Pairs = (0..<random.pick([0, 1, 1, 2, 50])).map { number in
                // Also keys that are there.
                let isOld = lower < upper && number == 0 && random.chance(3)
                return (isOld ? model[lower].key : "new \(step) \(number)", JSON(-step))
            }
            let (before, old) = (object, model)
            guard model.count - (upper - lower) + new.count > 0,
                let next = object.replacingMembers(at: lower..<upper, with: JSONObject(new))
            else { continue }
            model.replaceSubrange(lower..<upper, with: new)
            object = next
            expect(object, model, "\(count) members, step \(step)")
            expect(before, old, "\(count) members, before step \(step)")
            let changes = Set(JSON.object(object).difference(from: .object(before)))
            #expect(changes == Set(DifferenceModel.changes(.object(before), .object(object))), "step \(step)")
        }
        #expect(model.contains { $0.key.hasPrefix("new") })
    }

    @Test("A key that another member has is refused", arguments: [40, 2_000]) func repeated(count: Int) {
        let object = JSONObject((0..<count).map { ("k\($0)", JSON($0)) })
        let new: JSONObject = ["more": 1, "k\(count - 1)": 2]
        #expect(object.replacingMembers(at: 3..<4, with: new) == nil)
        #expect(object.replacingMembers(at: count - 1..<count, with: new)?.count == count + 1)
    }

    @Test("A member goes to its place among sorted keys, also beside removed ones", arguments: [5, 33, 700])
    func inserting(count: Int) {
        let names = (0..<count).map { "k\(10_000 + 2 * $0)" }
        let sorted = JSONObject(names.map { ($0, 1) })
        for place in [0, 1, count / 2, count - 1, count] {
            let key = "k\(9_999 + 2 * place)"
            let thinned = place < count ? sorted.removing(Text(names[place])) : sorted
            for object in [sorted, thinned] {
                let result = object.inserting(Member(Text(key), 2))
                #expect(result.fault == nil)
                #expect(Array(result.keys) == (Array(object.keys) + [key]).sorted())
                #expect(result[key] == 2)
            }
        }
    }
}

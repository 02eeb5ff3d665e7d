import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Several changes of a large array at once") struct LargeArrayChangesTests {
    private static let rounds = Thoroughness.isFull ? 200 : 30

    @Test(
        "Elements that come, go and change lead to the same as one by one, and to the same text",
        arguments: SeededGenerator.seeds)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for round in 0..<Self.rounds {
            var model = (0..<random.pick([33, 64, 100, 300])).map { Self.element($0) }
            let document = try JSONDocument(parsing: Self.root(model).description)
            let before = document.value
            var changes: [JSONChange] = []
            // Around one place, or anywhere.
            let (start, width) = random.chance(50) ? (0, model.count) : (random.below(model.count - 5), 5)
            for number in 0..<random.below(12) + 1 {
                let index = min(start + random.below(width), model.count - 1)
                changes.append(Self.change(of: &model, at: index, 1_000 + number, &random))
            }
            let changed = try document.applying(changes)
            let expected = Self.root(model)
            #expect(
                changed.value == expected && changed.value.hashValue == expected.hashValue, "seed \(seed), \(round)")
            #expect(try JSON(parsing: changed.text) == expected, "seed \(seed), \(round)")
            #expect(document.value == before && changed.value.fault == nil, "seed \(seed), \(round)")
            // The pages that both share.
            #expect(
                try document.applying(expected.difference(from: before)).value == expected, "seed \(seed), \(round)")
        }
    }

    private static func change(
        of model: inout [JSON], at index: Int, _ number: Int, _ random: inout SeededGenerator
    ) -> JSONChange {
        let path = JSONPointer(["list", "\(index)"])
        switch random.below(4) {
        case 0:
            model.insert(element(number), at: index)
            return JSONChange(at: path, from: nil, to: element(number))
        case 1 where model.count > 1:
            return JSONChange(at: path, from: model.remove(at: index), to: nil)
        case 2:
            let old = model[index]["id"]
            model[index]["id"] = JSON(number)
            return JSONChange(at: JSONPointer(["list", "\(index)", "id"]), from: old, to: JSON(number))
        default:
            let old = model[index]
            model[index] = element(number)
            return JSONChange(at: path, from: old, to: element(number))
        }
    }

    private static func root(_ list: [JSON]) -> JSON { ["list": .array(JSONArray(list))] }

    private static func element(_ number: Int) -> JSON { ["id": JSON(number), "name": JSON("name \(number)")] }
}

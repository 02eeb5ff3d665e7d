import TestSupport
import Testing

@testable import LosslessJSON

@Suite("An array")
struct JSONArrayTests {
    /// Around one page, and one and two levels of pages.
    static let edges = Array(0...2) + [31, 32, 33, 34, 63, 64, 65, 1_023, 1_024, 1_025, 32_767, 32_768, 32_769]

    static func numbers(_ count: Int) -> [JSON] { (0..<count).map { JSON($0) } }

    @Test("Arrays built from a Swift array, from a text and by appending are equal", arguments: edges)
    func building(count: Int) throws {
        let elements = JSONArrayTests.numbers(count)
        let atOnce = JSONArray(elements)
        let parsed = try #require(try JSON(parsing: atOnce.description).array)
        // All but the last 1,100 elements are added at once, to save time.
        var oneByOne = JSONArray(elements.dropLast(1_100))
        for element in elements.suffix(1_100) { oneByOne.append(element) }
        for array in [atOnce, parsed, oneByOne] {
            #expect(array.fault == nil)
            #expect(array.count == count && array.isEmpty == (count == 0))
            #expect(array.elementsEqual(elements))
            #expect((0..<min(count, 1_100)).allSatisfy { array[$0] == elements[$0] })
        }
        #expect(atOnce == parsed && parsed == oneByOne)
        #expect(atOnce.hashValue == oneByOne.hashValue)
    }

    @Test(
        "Replacing an element changes only that element and leaves the old version unchanged",
        arguments: [1, 32, 33, 1_025])
    func replacing(count: Int) {
        let old = JSONArray(JSONArrayTests.numbers(count))
        for index in Set([0, 31, 32, count / 2, count - 1]).sorted() where index < count {
            var new = old
            new[index] = "replaced"
            var expected = JSONArrayTests.numbers(count)
            expected[index] = "replaced"
            #expect(new.fault == nil && new.elementsEqual(expected))
            #expect(old.elementsEqual(JSONArrayTests.numbers(count)))
            #expect(new != old && old != new && !new.isIdentical(to: old))
        }
    }

    @Test("Assigning an element its current value leaves the array identical", arguments: [3, 33, 1_100])
    func settingTheSame(count: Int) {
        let array = JSONArray(JSONArrayTests.numbers(count))
        var copy = array
        copy[2] = 2
        #expect(copy.isIdentical(to: array))
        copy[2] = 2.0
        #expect(!copy.isIdentical(to: array) && copy == array, "the new spelling is stored")
    }

    @Test("Equality of arrays depends on order, length and every element")
    func equality() {
        for count in [2, 32, 33, 70] {
            let array = JSONArray(JSONArrayTests.numbers(count))
            let swapped = JSONArray(array.reversed())
            #expect(array != swapped && array != JSONArray(array.dropLast()))
            #expect(array == JSONArray(Array(array)) && array == JSONArray(swapped.reversed()))
        }
        #expect(JSONArray() == [] && JSONArray().hashValue == ([] as JSONArray).hashValue)
        #expect(([1, 1.0] as JSONArray) == [1.0, 1])
    }

    @Test("Array literals have the values and descriptions of their elements")
    func literals() {
        let array: JSONArray = [nil, true, 1, 2.5, "text", [], [:]]
        #expect(array.description == #"[null,true,1,2.5,"text",[],{}]"#)
        #expect(JSONArray().description == "[]")
    }

    @Test(
        "Replacing any range of elements gives the same result as in a Swift array",
        arguments: [0, 1, 5, 31, 32, 33, 64, 100])
    func ranges(count: Int) {
        let base = JSONArrayTests.numbers(count)
        for lower in Set([0, 1, count / 2, 31, 32, count]).sorted() where lower <= count {
            for upper in Set([lower, lower + 1, 32, count]).sorted() where lower <= upper && upper <= count {
                for inserted in [0, 1, 2, 33] {
                    let new: [JSON] = (0..<inserted).map { JSON("new \($0)") }
                    var (array, model) = (JSONArray(base), base)
                    array.replaceSubrange(lower..<upper, with: new)
                    model.replaceSubrange(lower..<upper, with: new)
                    #expect(array.fault == nil && array.elementsEqual(model), "\(lower)..<\(upper) by \(inserted)")
                }
            }
        }
    }

    @Test("Slices share the indices of their array, and collection algorithms apply")
    func slices() {
        var array = JSONArray(JSONArrayTests.numbers(100))
        #expect(array[10..<13].elementsEqual([10, 11, 12]))
        #expect(array[30...].first == 30 && array.suffix(1).startIndex == 99)
        array.removeSubrange(40..<60)
        #expect(array.count == 80 && array[40] == 60)
        array.swapAt(0, 79)
        #expect(array.first == 99 && array.last == 0)
        array.sort { $0.int! < $1.int! }
        #expect(array.elementsEqual(JSONArrayTests.numbers(100).filter { !(40..<60).contains($0.int!) }))
        #expect((array + [1]).count == 81 && JSONArray(repeating: nil, count: 40).allSatisfy(\.isNull))
    }

    @Test("Random edits match a Swift array and leave earlier versions unchanged", arguments: SeededGenerator.seeds)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed)
        var model = JSONArrayTests.numbers(random.pick([0, 20, 31, 40, 1_010]))
        var array = JSONArray(model)
        var versions = [(array, model)]
        for step in 0..<300 {
            let element = JSON(random.below(1_000))
            let place = random.below(model.count + 1)
            switch random.below(8) {
            case 0, 1, 2:
                array.append(element)
                model.append(element)
            case 3:
                array.insert(element, at: place)
                model.insert(element, at: place)
            case 4 where place < model.count:
                let (mine, its) = (model.remove(at: place), array.remove(at: place))
                #expect(mine == its, "seed \(seed), step \(step)")
            case 5:
                let range = min(place, model.count / 2)..<place
                array.removeSubrange(range)
                model.removeSubrange(range)
            case 6:
                let several = Array(repeating: element, count: random.below(40))
                array.insert(contentsOf: several, at: place)
                model.insert(contentsOf: several, at: place)
            case _ where place < model.count:
                array[place] = element
                model[place] = element
            default:
                array.removeAll()
                model.removeAll()
            }
            versions.append((array, model))
        }
        for (step, (array, model)) in versions.enumerated() {
            if let fault = array.fault ?? (array.elementsEqual(model) ? nil : "\(array) instead of \(model)") {
                Issue.record("version \(step): \(fault), seed \(seed)")
                return
            }
        }
    }
}

import Synchronization
import TestSupport

@testable import LosslessJSON

/// A value with each kind of collection that an encoder remembers.
struct CollectionsRoot: Encodable {
    var title = ""
    var items: [String: Item] = [:]
    var list: [Item] = []
    var words: [String] = []
    var numbers: [String: Double?] = [:]
    var groups: [String: [Item]] = [:]
    var members: Set<String> = []
    var byNumber: [Int: Item] = [:]
    var inner = Inner()
    var unmarked: [String: Unmarked] = [:]
    var unmarkedList: [Unmarked] = []
    var unmarkedGroups: [String: [Unmarked]] = [:]

    struct Inner: Encodable { var items: [String: Item] = [:] }

    enum Kind: String, Codable, CaseIterable, BytewiseEquatable { case one, two, three }

    enum Shape: Codable, BytewiseEquatable {
        case circle(radius: Double)
        case label(String, [Int])
        case nothing
    }

    struct Item: Codable, BytewiseEquatable, Sendable {
        var number: Int
        var name: String?
        var isOn = false
        var tags: [String] = []
        var kind = Kind.one
        var shape: Shape = .nothing
        var weights: [String: Double] = [:]

        init(_ number: Int) { self.number = number }

        enum CodingKeys: CodingKey { case number, name, isOn, tags, kind, shape, weights }

        func encode(to encoder: any Encoder) throws {
            if let counter = encoder.userInfo[EncodingCounter.key] as? EncodingCounter {
                counter.count.add(1, ordering: .relaxed)
            }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(number, forKey: .number)
            try container.encodeIfPresent(name, forKey: .name)
            try container.encode(isOn, forKey: .isOn)
            try container.encode(tags, forKey: .tags)
            try container.encode(kind, forKey: .kind)
            try container.encode(shape, forKey: .shape)
            try container.encode(weights, forKey: .weights)
        }
    }

    /// Its bytes do not say whether it is the same.
    struct Unmarked: Codable {
        var number: Int
        var name: String?
        var ratio = 0.0
        var address: Address? = Address()
        var tags = ["a", "a tag that is longer than fifteen bytes"]
        var others: [Address] = []

        init(_ number: Int) { self.number = number }

        struct Address: Codable {
            var label = "somewhere"
            var height = 1.5
        }
    }

    static func manyItems(_ count: Int) -> [String: Item] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("item \($0)", Item($0)) })
    }

    /// Makes a random change.
    mutating func change(_ random: inout SeededGenerator) {
        let key = ["é", "e\u{301}", "a key that is longer than fifteen bytes"].randomElement(using: &random)!
        let number = Int.random(in: 0..<60, using: &random)
        let keys = [key, "key \(number)", "\(number)"]
        func name() -> String { keys.randomElement(using: &random)! }
        switch Int.random(in: 0..<22, using: &random) {
        case 0: items[name()] = Item(number)
        case 1: items[name()]?.name = [nil, name()].randomElement(using: &random)!
        case 2: items[name()] = nil
        case 3: list.insert(Item(number), at: Int.random(in: 0...list.count, using: &random))
        case 4: if !list.isEmpty { list.remove(at: number % list.count) }
        case 5: if !list.isEmpty { list[number % list.count].tags.append(name()) }
        case 6: words.append(name())
        case 7: if !words.isEmpty { words[number % words.count] = name() }
        case 8: numbers[name()] = [.some(nil), 1, 2, nil].randomElement(using: &random)!
        case 9: groups["g\(number % 3)", default: []].append(Item(number))
        case 10: byNumber[number] = Item(number)
        case 11: unmarked[name()] = Unmarked(number)
        case 12: unmarked[name()] = nil
        case 13: unmarked[name()]?.name = name()
        case 14:
            unmarkedList.insert(Unmarked(number), at: Int.random(in: 0...unmarkedList.count, using: &random))
        case 15: if !unmarkedList.isEmpty { unmarkedList[number % unmarkedList.count].ratio *= -0.5 }
        case 16: unmarkedGroups[name(), default: []].append(Unmarked(number))
        case 17:
            let heights = [0.0, -0.0, 0.1, 1e-5, 0.1 + 0.2, 1e22, 123_456_789_012_345.0, Double(number) / 8]
            unmarked[name(), default: Unmarked(number)].address?.height = heights.randomElement(using: &random)!
        case 18: unmarked[name()]?.address = [nil, .init(label: name())].randomElement(using: &random)!
        case 19: unmarked[name()]?.tags = (0..<number % 3).map { _ in name() }
        case 20: unmarked[name()]?.others.append(.init(label: name()))
        default:
            inner.items[name()] = Item(number)
            members.insert(name())
            if number == 0 { items = Self.manyItems(40) }
        }
    }
}

import Synchronization
import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Decoding only what changed")
struct DecodingMemoryTests {
    // MARK: - Types

    /// Counts how often elements are decoded, through the user info of the decoder.
    private final class Counter: Sendable {
        static let key = CodingUserInfoKey(rawValue: "counter")!
        let count = Atomic(0)
    }

    private struct Item: Codable, Equatable, Sendable {
        var number: Int
        var name: String?
        var tags: [String]?

        init(from decoder: any Decoder) throws {
            if let counter = decoder.userInfo[Counter.key] as? Counter { counter.count.add(1, ordering: .relaxed) }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            number = try container.decode(Int.self, forKey: .number)
            name = try container.decodeIfPresent(String.self, forKey: .name)
            tags = try container.decodeIfPresent([String].self, forKey: .tags)
        }
    }

    private final class Node: Codable, Sendable { let number: Int }

    /// A value whose memory is emptied while it is decoded.
    private struct Forgetful: Codable, Sendable {
        static let memory = DecodingMemory()
        var items: [String: Item]

        init(from decoder: any Decoder) throws {
            items = try decoder.container(keyedBy: CodingKeys.self).decode([String: Item].self, forKey: .items)
            Self.memory.forget()
        }
    }

    private enum Kind: String, Codable, CodingKeyRepresentable, CaseIterable { case one, two, three }

    private struct Root: Codable, Equatable, Sendable {
        var title = ""
        var items: [String: Item] = [:]
        var list: [Item] = []
        var words: [String] = []
        var groups: [String: [Item]] = [:]
        var numbers: [Int: Double?] = [:]
        var kinds: [Kind: Int] = [:]
        var members: Set<Int> = []
        var inner: Inner = Inner()

        struct Inner: Codable, Equatable, Sendable { var items: [String: Item] = [:] }
    }

    /// A decoder with a memory, and one without for comparison.
    private struct Pair {
        let memory = DecodingMemory()
        let counter = Counter()
        var defaults: JSON = [:]

        func decode<Value: Codable & Sendable>(
            _ type: Value.Type, _ json: JSON
        ) throws(JSONCodingError) -> (value: Value, unknownKeys: [JSONUnknownKey], decoded: Int) {
            var decoder = JSONValueDecoder()
            decoder.userInfo[Counter.key] = counter
            let before = counter.count.load(ordering: .relaxed)
            let (value, mayHaveUnknownKeys) = try decoder.decode(
                type, from: json, defaults: defaults, memory, isDetecting: true)
            let decoded = counter.count.load(ordering: .relaxed) - before
            let unknownKeys = mayHaveUnknownKeys ? decoder.unknownKeys(of: type, in: json, defaults) : []
            if unknownKeys.isEmpty { memory.foundNoUnknownKeys() }
            return (value, unknownKeys, decoded)
        }
    }

    private static let defaults = try! JSONValueEncoder().encode(Root())

    private static func items(_ count: Int) -> JSON {
        .object(JSONObject((0..<count).map { ("item \($0)", ["number": JSON($0)]) }))
    }

    // MARK: - Counts

    @Test("Of a dictionary only the values that changed are decoded", arguments: [20, 1_000])
    func dictionary(count: Int) throws {
        let pair = Pair()
        var json = Self.items(count)
        #expect(try pair.decode([String: Item].self, json).decoded == count)
        #expect(try pair.decode([String: Item].self, json).decoded == 0)
        json["item 7"]?["name"] = "seven"
        json["new"] = ["number": 0]
        json["item 9"] = nil
        let (value, _, decoded) = try pair.decode([String: Item].self, json)
        #expect(decoded == 2 && value.count == count)
        #expect(value["item 7"]?.name == "seven" && value["new"]?.number == 0 && value["item 9"] == nil)
        pair.memory.forget()
        #expect(try pair.decode([String: Item].self, json).decoded == count)
    }

    @Test("Of an array only the elements that changed, or came, are decoded", arguments: [20, 1_000])
    func array(count: Int) throws {
        let pair = Pair()
        var elements = JSONArray((0..<count).map { ["number": JSON($0)] })
        #expect(try pair.decode([Item].self, .array(elements)).decoded == count)
        elements[3] = ["number": 33]
        #expect(try pair.decode([Item].self, .array(elements)).decoded == 1)
        elements.insert(contentsOf: [["number": -1], ["number": -2]], at: 5)
        #expect(try pair.decode([Item].self, .array(elements)).decoded == 2)
        elements.removeSubrange(2..<4)
        let (value, _, decoded) = try pair.decode([Item].self, .array(elements))
        #expect(decoded == 0)
        #expect(value.map(\.number) == [0, 1, 4, -1, -2] + (5..<count))
    }

    @Test("Collections in structs and in smaller collections are remembered")
    func nested() throws {
        let pair = Pair(defaults: Self.defaults)
        var json: JSON = ["inner": ["items": Self.items(50)], "groups": ["a": .array([]), "b": .array([])]]
        json["groups"]?["b"] = .array(JSONArray((0..<30).map { ["number": JSON($0)] }))
        #expect(try pair.decode(Root.self, json).decoded == 80)
        json["inner"]?["items"]?["item 5"]?["number"] = 55
        json["groups"]?["b"]?[2] = ["number": 22]
        json["title"] = "other"
        let (value, _, decoded) = try pair.decode(Root.self, json)
        #expect(decoded == 2)
        #expect(value.inner.items["item 5"]?.number == 55 && value.groups["b"]?[2].number == 22)
        #expect(value.title == "other" && value.inner.items.count == 50)
    }

    // MARK: - The same as decoding everything

    @Test(
        "Random changes give the same value, error and unknown keys as decoding everything",
        arguments: SeededGenerator.seeds)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var valid = 0
        for round in 0..<5 {
            let pair = Pair(defaults: Self.defaults)
            var json: JSON = [
                "items": Self.items(30), "inner": ["items": Self.items(30)],
                "list": .array(JSONArray((0..<30).map { ["number": JSON($0)] })),
                "words": .array(JSONArray((0..<20).map { JSON("word \($0)") })),
                "numbers": .object(JSONObject((0..<30).map { ("\($0)", JSON($0)) })),
            ]
            var lastValid = json
            for step in 0..<60 {
                for _ in 0...random.below(3) { json = Self.changed(json, &random) }
                var unknownKeys: [JSONUnknownKey] = []
                let expected = Result { () throws(JSONCodingError) in
                    try JSONValueDecoder().decode(
                        Root.self, from: json, defaults: Self.defaults, unknownKeys: &unknownKeys)
                }
                let found = Result { () throws(JSONCodingError) in try pair.decode(Root.self, json) }
                switch (expected, found) {
                case (.success(let expected), .success(let found)):
                    (valid, lastValid) = (valid + 1, json)
                    #expect(found.value == expected, "seed \(seed), round \(round), step \(step)")
                    #expect(found.unknownKeys == unknownKeys, "seed \(seed), round \(round), step \(step)")
                case (.failure(let expected), .failure(let found)):
                    #expect("\(found)" == "\(expected)", "seed \(seed), round \(round), step \(step)")
                    if random.chance(70) { json = lastValid }
                default: Issue.record("seed \(seed), round \(round), step \(step): \(expected), \(found)")
                }
            }
        }
        #expect(valid > 150)
    }

    private static func changed(_ json: JSON, _ random: inout SeededGenerator) -> JSON {
        var json = json
        let number = JSON(random.below(40))
        var item: JSON = ["number": random.chance(3) ? "none" : number]
        if random.chance(20) { item["name"] = JSON("name \(number)") }
        if random.chance(20) { item["tags"] = .array(JSONArray((0..<random.below(30)).map { JSON("tag \($0)") })) }
        if random.chance(3) { item["unknown"] = true }
        func changeObject(_ path: JSONPointer, _ key: String, _ value: JSON) {
            var object = json[at: path] ?? [:]
            object[key] = random.chance(20) ? nil : value
            json = (try? json.setting(path, to: object)) ?? json
        }
        func changeArray(_ path: JSONPointer, _ value: JSON) {
            var array = json[at: path]?.array ?? []
            switch random.below(4) {
            case 0 where !array.isEmpty: array.remove(at: random.below(array.count))
            case 1 where !array.isEmpty: array[random.below(array.count)] = value
            default: array.insert(value, at: random.below(array.count + 1))
            }
            json = (try? json.setting(path, to: .array(array))) ?? json
        }
        switch random.below(11) {
        case 0: json["title"] = JSON("title \(number)")
        case 1, 2: changeObject("items", "item \(number)", item)
        case 3: changeArray("list", item)
        case 4: changeArray("words", random.chance(3) ? number : JSON("word \(number)"))
        case 5: changeObject("groups", "group \(random.below(3))", .array(JSONArray((0..<20).map { _ in item })))
        case 6: changeObject("numbers", "\(number)", random.chance(20) ? .null : number)
        case 7: changeObject("numbers", random.chance(5) ? "x" : "\(number)", number)
        case 8: changeObject("kinds", random.pick(Kind.allCases).rawValue, number)
        case 9: changeArray("members", number)
        default:
            json["inner"] = json["inner"] ?? [:]
            changeObject("inner.items", "item \(number)", item)
        }
        if random.chance(2) { json["$schema"] = "settings" }
        return json
    }

    @Test("The first of several errors is reported, and the memory stays as it was")
    func errors() throws {
        let pair = Pair()
        let valid = Self.items(50)
        #expect(try pair.decode([String: Item].self, valid).decoded == 50)
        var invalid = valid
        invalid["item 40"] = 1
        invalid["item 3"] = 2
        let error = #expect(throws: JSONCodingError.self) { try pair.decode([String: Item].self, invalid) }
        #expect(error?.path == "item 3")
        #expect(try pair.decode([String: Item].self, valid).decoded == 0)
    }

    @Test("Unknown keys in values that did not change are found again")
    func unknownKeys() throws {
        let pair = Pair()
        var json = Self.items(50)
        json["item 5"]?["nmae"] = "five"
        #expect(try pair.decode([String: Item].self, json).unknownKeys.map(\.path) == ["item 5.nmae"])
        json["item 7"]?["number"] = 77
        let (value, unknownKeys, _) = try pair.decode([String: Item].self, json)
        #expect(unknownKeys.map(\.path) == ["item 5.nmae"] && value["item 7"]?.number == 77)
        json["item 5"]?["nmae"] = nil
        #expect(try pair.decode([String: Item].self, json).unknownKeys.isEmpty)
        // None of them is searched for again.
        json["item 8"]?["number"] = 88
        let again = try JSONValueDecoder()
            .decode([String: Item].self, from: json, defaults: [:], pair.memory, isDetecting: true)
        #expect(!again.mayHaveUnknownKeys && again.value["item 8"]?.number == 88)
    }

    @Test("Collections of objects, and what was forgotten while it was decoded, are not remembered")
    func notRemembered() throws {
        let nodes = JSON.array(JSONArray((0..<30).map { ["number": JSON($0)] }))
        let memory = DecodingMemory()
        func decode() throws -> [Node] {
            let decoder = JSONValueDecoder()
            return try decoder.decode([Node].self, from: nodes, defaults: nil, memory, isDetecting: true).value
        }
        #expect(try decode()[3] !== decode()[3])

        let counter = Counter()
        var decoder = JSONValueDecoder()
        decoder.userInfo[Counter.key] = counter
        for count in 1...2 {
            _ = try decoder.decode(
                Forgetful.self, from: ["items": Self.items(20)], defaults: nil, Forgetful.memory, isDetecting: true)
            #expect(counter.count.load(ordering: .relaxed) == 20 * count)
        }
    }

    @Test("A key with an exempt name does not count as unknown, and hides no unknown key")
    func exemptNames() throws {
        func mayHaveUnknownKeys(_ item: JSON) throws -> Bool {
            try JSONValueDecoder()
                .decode(
                    Item.self, from: item, defaults: nil, DecodingMemory(), isDetecting: true,
                    except: ["$schema", "note"]
                )
                .mayHaveUnknownKeys
        }
        #expect(try !mayHaveUnknownKeys(["number": 1, "$schema": "x", "note": 1]))
        #expect(try !mayHaveUnknownKeys(["$schema": "x", "number": 1]))
        #expect(try mayHaveUnknownKeys(["$schema": "x", "number": 1, "other": 2]))
        #expect(try mayHaveUnknownKeys(["number": 1, "other": 2]))
        var large: JSON = ["number": 1, "note": 2]
        for number in 0..<100 { large["key \(number)"] = 1 }
        #expect(try mayHaveUnknownKeys(large))
    }

    @Test("Keys of different bytes that Swift takes for the same one are decoded as without a memory")
    func equivalentKeys() throws {
        let pair = Pair()
        var json = Self.items(20)
        json["e\u{301}"] = ["number": 1]
        #expect(try pair.decode([String: Item].self, json).value.count == 21)
        json["\u{E9}"] = ["number": 2]
        for _ in 0..<2 {
            let (value, _, _) = try pair.decode([String: Item].self, json)
            #expect(try value == JSONValueDecoder().decode([String: Item].self, from: json))
        }
        json["e\u{301}"] = nil
        #expect(try pair.decode([String: Item].self, json).value["\u{E9}"]?.number == 2)
    }

    @Test("Threads that use one memory at the same time decode their own values")
    func threads() async throws {
        let pair = Pair()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for step in 0..<50 {
                        var json = Self.items(30)
                        json["item 3"]?["number"] = JSON(1_000 * thread + step)
                        let value = try? pair.decode([String: Item].self, json).value
                        #expect(value?["item 3"]?.number == 1_000 * thread + step && value?.count == 30)
                    }
                }
            }
        }
    }
}

extension JSONValueDecoder {
    /// Decodes what changed since `memory` was used last; and whether the value may have unknown keys.
    fileprivate func decode<Value: Decodable & Sendable>(
        _ type: Value.Type, from json: JSON, defaults: JSON?, _ memory: DecodingMemory, isDetecting: Bool,
        except exemptNames: Set<String> = []
    ) throws(JSONCodingError) -> (value: Value, mayHaveUnknownKeys: Bool) {
        var mayHaveUnknownKeys = false
        let value = try decode(
            type, from: json, defaults: defaults, memory, isDetecting: isDetecting, except: exemptNames,
            &mayHaveUnknownKeys)
        return (value, mayHaveUnknownKeys)
    }
}

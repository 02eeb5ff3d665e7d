/// Dictionaries are decoded without the help of their own `Decodable`: their values take no defaults from the place
/// they stand in, and keys that are strings in JSON make an object, whatever type they have in Swift.
protocol DictionaryDecoding {
    init(_ run: DecodingRun, _ place: DecodingPlace) throws
}

extension Dictionary: DictionaryDecoding where Key: Decodable, Value: Decodable {
    init(_ run: DecodingRun, _ place: DecodingPlace) throws {
        switch place.value {
        case .object(let members):
            self.init(minimumCapacity: members.count)
            for (name, value) in members {
                let path = CodingPath(place.path, PathKey(name))
                let key = try Self.key(name, run, DecodingPlace(JSON(name), path: path))
                self[key] = try run.decode(Value.self, DecodingPlace(value, path: path))
            }
        case .array(let pairs) where Key.self != String.self && pairs.count.isMultiple(of: 2):
            self.init(minimumCapacity: pairs.count / 2)
            for index in stride(from: 0, to: pairs.count, by: 2) {
                let paths = (CodingPath(place.path, PathKey(index)), CodingPath(place.path, PathKey(index + 1)))
                let key = try run.decode(Key.self, DecodingPlace(pairs[index], path: paths.0))
                self[key] = try run.decode(Value.self, DecodingPlace(pairs[index + 1], path: paths.1))
            }
        default: throw ScalarDecoding.mismatch("an object", Self.self, place)
        }
    }

    private static func key(_ name: String, _ run: DecodingRun, _ place: DecodingPlace) throws -> Key {
        if let name = name as? Key { return name }
        if let integer = Key.self as? any FixedWidthInteger.Type {
            // Only as it would be written: 1.0 and 1 would be one key.
            guard let key = integer.init(name, radix: 10) as? Key, "\(key)" == name else {
                throw ScalarDecoding.mismatch("a whole number in quotes", Key.self, place, code: .value)
            }
            return key
        }
        if let type = Key.self as? any CodingKeyRepresentable.Type {
            guard let key = type.init(codingKey: PathKey(either: name)) as? Key else {
                throw ScalarDecoding.mismatch("a valid \(Key.self)", Key.self, place, code: .value)
            }
            return key
        }
        return try run.decode(Key.self, place)
    }
}

/// Dictionaries are encoded in the order of their keys: as an object when all keys are strings or whole numbers,
/// otherwise as an array of keys and values in turn.
protocol DictionaryEncoding {
    func encode(_ run: EncodingRun, _ path: CodingPath?) throws -> JSON
}

extension Dictionary: DictionaryEncoding where Key: Encodable, Value: Encodable {
    func encode(_ run: EncodingRun, _ path: CodingPath?) throws -> JSON {
        let keyed = try map { (key: try Self.encodedKey($0.key, run, path), value: $0.value) }
        let sorted = keyed.sorted { JSONOrder.precedes($0.key, $1.key) }
        let names = sorted.map { Self.name($0.key) }
        guard names.allSatisfy({ $0 != nil }) else {
            var pairs: [JSON] = []
            for (index, (key, value)) in sorted.enumerated() {
                pairs.append(key)
                pairs.append(try run.encode(value, nil, CodingPath(path, PathKey(2 * index + 1))))
            }
            return .array(JSONArray(pairs))
        }
        var members: [Member] = []
        for (name, (_, value)) in zip(names, sorted) {
            members.append(Member(Text(name!), try run.encode(value, nil, CodingPath(path, PathKey(name!)))))
        }
        return .object(JSONObject(members))
    }

    private static func encodedKey(_ key: Key, _ run: EncodingRun, _ path: CodingPath?) throws -> JSON {
        if let key = key as? any CodingKeyRepresentable, !(key is any FixedWidthInteger) {
            return JSON(key.codingKey.stringValue)
        }
        return try run.encode(key, nil, path)
    }

    private static func name(_ key: JSON) -> String? {
        switch key {
        case .string(let string): string.string
        case .number(let number) where Key.self is any FixedWidthInteger.Type: number.spelling
        default: nil
        }
    }
}

/// Sets are encoded in the order of their elements, so that a set that did not change is written as it was.
protocol SetEncoding {
    func encode(_ run: EncodingRun, _ path: CodingPath?) throws -> JSON
}

extension Set: SetEncoding where Element: Encodable {
    func encode(_ run: EncodingRun, _ path: CodingPath?) throws -> JSON {
        let elements = try map { try run.encode($0, nil, path) }
        return .array(JSONArray(elements.sorted(by: JSONOrder.precedes)))
    }
}

/// An order for values that have none: by kind, numbers by size, strings by bytes, the rest by what they look like.
enum JSONOrder {
    static func precedes(_ a: JSON, _ b: JSON) -> Bool {
        switch (a, b) {
        case (.number(let a), .number(let b)):
            let (left, right) = (a.double ?? .infinity, b.double ?? .infinity)
            return left == right ? precedes(a.spelling, b.spelling) : left < right
        case (.string(let a), .string(let b)): return Text.precedes(a.text, b.text)
        default: return a.kind == b.kind ? precedes(a.description, b.description) : a.kind < b.kind
        }
    }

    /// A shorter spelling is a smaller number, where doubles cannot tell.
    private static func precedes(_ a: String, _ b: String) -> Bool {
        a.utf8.count == b.utf8.count ? a < b : a.utf8.count < b.utf8.count
    }
}

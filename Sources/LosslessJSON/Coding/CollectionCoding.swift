/// Decodes arrays directly. Their own `Decodable` conformance would request each element through three layers of
/// dynamic types.
protocol ArrayDecoding {
    init(_ state: DecodingState, _ node: DecodingNode) throws
}

extension Array: ArrayDecoding where Element: Decodable {
    init(_ state: DecodingState, _ node: DecodingNode) throws {
        guard let elements = node.value.array else { throw ScalarDecoding.mismatch("an array", [Any].self, node) }
        if let scalars = Self.decodeScalars(elements) {
            self = scalars
            return
        }
        self.init()
        reserveCapacity(elements.count)
        for (index, value) in elements.enumerated() {
            let path = CodingPath(node.path, AnyCodingKey(index))
            let tracking = node.tracking.child(String(index))
            append(try state.decode(Element.self, DecodingNode(value, path: path, tracking)))
        }
    }

    /// Decodes elements of the most common scalar types; nil if an element has another type, or for other types.
    private static func decodeScalars(_ elements: JSONArray) -> [Element]? {
        if Element.self == String.self { return same(ScalarDecoding.all(elements) { $0.decodableString }) }
        if Element.self == Int.self { return same(ScalarDecoding.all(elements) { $0.int }) }
        if Element.self == Double.self { return same(ScalarDecoding.all(elements) { $0.double }) }
        return nil
    }

    /// The caller has checked that the two types are equal.
    private static func same<Scalar>(_ scalars: [Scalar]?) -> [Element]? {
        precondition(Scalar.self == Element.self, "one type under two names")
        return unsafeBitCast(scalars, to: [Element]?.self)
    }
}

/// Decodes dictionaries directly: their values take no defaults from their location, and keys that are strings in JSON
/// form an object, whatever their Swift type.
protocol DictionaryDecoding {
    init(_ state: DecodingState, _ node: DecodingNode) throws
}

extension Dictionary: DictionaryDecoding where Key: Decodable, Value: Decodable {
    init(_ state: DecodingState, _ node: DecodingNode) throws {
        switch node.value {
        case .object(let members):
            self.init(minimumCapacity: members.count)
            for (name, value) in members {
                let path = CodingPath(node.path, AnyCodingKey(name))
                let key = try Self.key(name, state, DecodingNode(JSON(name), path: path))
                self[key] = try state.decode(Value.self, DecodingNode(value, path: path, node.tracking.child(name)))
            }
        case .array(let pairs) where Key.self != String.self && pairs.count.isMultiple(of: 2):
            self.init(minimumCapacity: pairs.count / 2)
            for index in stride(from: 0, to: pairs.count, by: 2) {
                let paths = (CodingPath(node.path, AnyCodingKey(index)), CodingPath(node.path, AnyCodingKey(index + 1)))
                let trackings = (node.tracking.child(String(index)), node.tracking.child(String(index + 1)))
                let key = try state.decode(Key.self, DecodingNode(pairs[index], path: paths.0, trackings.0))
                self[key] = try state.decode(
                    Value.self, DecodingNode(pairs[index + 1], path: paths.1, trackings.1))
            }
        default: throw ScalarDecoding.mismatch("an object", Self.self, node)
        }
    }

    private static func key(_ name: String, _ state: DecodingState, _ node: DecodingNode) throws -> Key {
        if name.exceedsCombiningMarkLimit {
            throw ScalarDecoding.mismatch("a key \(String.combiningMarkLimitText)", Key.self, node, code: .value)
        }
        if let name = name as? Key { return name }
        if let integer = Key.self as? any FixedWidthInteger.Type {
            // Only in canonical form: 1.0 and 1 would be the same key.
            guard let key = integer.init(name, radix: 10) as? Key, "\(key)" == name else {
                throw ScalarDecoding.mismatch("a whole number in quotes", Key.self, node, code: .value)
            }
            return key
        }
        if let type = Key.self as? any CodingKeyRepresentable.Type {
            guard let key = type.init(codingKey: AnyCodingKey(either: name)) as? Key else {
                throw ScalarDecoding.mismatch("a valid \(Key.self)", Key.self, node, code: .value)
            }
            return key
        }
        return try state.decode(Key.self, node)
    }
}

/// Encodes dictionaries sorted by key: as an object if all keys are strings or integers, otherwise as an array of
/// alternating keys and values.
protocol DictionaryEncoding {
    func encode(_ state: EncodingState, _ path: CodingPath?) throws -> JSON
}

extension Dictionary: DictionaryEncoding where Key: Encodable, Value: Encodable {
    func encode(_ state: EncodingState, _ path: CodingPath?) throws -> JSON {
        let keyed = try map { (key: JSONSortKey(try Self.encodedKey($0.key, state, path)), value: $0.value) }
        let sorted = keyed.sorted { JSONSortKey.precedes($0.key, $1.key) }
        let names = sorted.map { Self.name($0.key.value) }
        guard names.allSatisfy({ $0 != nil }) else {
            var pairs: [JSON] = []
            for (index, (key, value)) in sorted.enumerated() {
                pairs.append(key.value)
                pairs.append(try state.encode(value, nil, CodingPath(path, AnyCodingKey(2 * index + 1))))
            }
            return .array(JSONArray(pairs))
        }
        var members: [Member] = []
        for (name, (_, value)) in zip(names, sorted) {
            members.append(Member(Text(name!), try state.encode(value, nil, CodingPath(path, AnyCodingKey(name!)))))
        }
        return .object(JSONObject(members))
    }

    private static func encodedKey(_ key: Key, _ state: EncodingState, _ path: CodingPath?) throws -> JSON {
        if let key = key as? any CodingKeyRepresentable, !(key is any FixedWidthInteger) {
            return JSON(key.codingKey.stringValue)
        }
        return try state.encode(key, nil, path)
    }

    private static func name(_ key: JSON) -> String? {
        switch key {
        case .string(let string): string.string
        case .number(let number) where Key.self is any FixedWidthInteger.Type: number.spelling
        default: nil
        }
    }
}

/// Encodes sets sorted by element, so that an unchanged set is written unchanged.
protocol SetEncoding {
    func encode(_ state: EncodingState, _ path: CodingPath?) throws -> JSON
}

extension Set: SetEncoding where Element: Encodable {
    func encode(_ state: EncodingState, _ path: CodingPath?) throws -> JSON {
        let elements = try map { JSONSortKey(try state.encode($0, nil, path)) }
        return .array(JSONArray(elements.sorted(by: JSONSortKey.precedes).map(\.value)))
    }
}

/// A sort order for values: by kind, numbers by value, strings by bytes, others by their printed form.
struct JSONSortKey {
    let value: JSON
    /// For numbers; 0 for other values.
    private let double: Double
    /// The printed form, except for strings: computed once rather than for each comparison.
    private let printed: [UInt8]

    init(_ value: JSON) {
        self.value = value
        double = value.number.map { $0.double ?? .infinity } ?? 0
        if case .string = value { printed = [] } else { printed = JSONPrinter(layout: .compact).bytes(value) }
    }

    static func precedes(_ a: JSONSortKey, _ b: JSONSortKey) -> Bool {
        switch (a.value, b.value) {
        case (.string(let a), .string(let b)): Text.precedes(a.text, b.text)
        case (.number, .number) where a.double != b.double: a.double < b.double
        default: a.value.kind == b.value.kind ? precedes(a.printed, b.printed) : a.value.kind < b.value.kind
        }
    }

    /// Where doubles cannot distinguish numbers, the shorter spelling is the smaller number.
    private static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        a.count == b.count ? a.lexicographicallyPrecedes(b) : a.count < b.count
    }
}

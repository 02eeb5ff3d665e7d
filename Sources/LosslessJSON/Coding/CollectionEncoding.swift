/// Encodes collections directly: their own `Encodable` conformance would pass each element through three layers of
/// dynamic types.
protocol CollectionEncoding {
    /// Encodes the value at `key` in `parent`; without a key, that at `parent` itself.
    func encode(_ state: EncodingState, at parent: CodingPath?, _ key: (any CodingKey)?) throws -> JSON

    /// Encodes all elements, and returns `old`, what an earlier version was encoded as, with those that differ; nil if
    /// the elements do not correspond to those of the earlier version.
    func encode(
        sharing old: JSON, _ state: EncodingState, at parent: CodingPath?, _ key: (any CodingKey)?
    ) throws -> JSON?

    /// The number of elements.
    var count: Int { get }

    /// Whether its elements may be compared by their bytes, as far as can be seen from one of them.
    ///
    /// - Parameter earlier: An earlier version.
    func hasBytewiseElements(like earlier: EncodingMemory.Collection?) -> Bool

    /// The bytes that its elements use; nil if it has none, or cannot be compared.
    var usedBytes: UsedBytes? { get }

    /// Encodes only the elements whose bytes differ from those of an earlier version; nil if all must be encoded.
    func encodeChanges(
        since earlier: EncodingMemory.Collection, _ state: EncodingState, at parent: CodingPath?,
        _ key: (any CodingKey)?
    ) throws -> JSON?
}

extension Array: CollectionEncoding where Element: Encodable {
    func encode(_ state: EncodingState, at parent: CodingPath?, _ key: (any CodingKey)?) throws -> JSON {
        var values = GrowingBuffer<JSON>(capacity: count)
        if Element.self == String.self {
            for string in retyped(self) as [String] { values.append(JSON(string)) }
        } else if Element.self == Int.self {
            for integer in retyped(self) as [Int] { values.append(JSON(integer)) }
        } else {
            let path = CodingPath(at: parent, key)
            // By index, because the types of an iterator would be looked up for each element.
            for index in indices {
                path.move(toElement: index)
                values.append(try state.encode(self[index], nil, at: path, nil))
            }
        }
        return .array(values.takeArray())
    }
}

/// Dictionaries are sorted by key: an object if all keys are strings or integers, otherwise an array of alternating keys
/// and values.
extension Dictionary: CollectionEncoding where Key: Encodable, Value: Encodable {
    func encode(_ state: EncodingState, at parent: CodingPath?, _ key: (any CodingKey)?) throws -> JSON {
        let path = CodingPath(at: parent, key)
        // Keys are sorted without their values, which a comparison would copy each time.
        let values = Array(self.values)
        if Key.self == String.self { return try Self.encodeObject(state, path, sortedNames(), values) }
        let keys = try self.keys.map { JSONSortKey(try Self.encodedKey($0, state, path)) }
        let order = keys.indices.sorted { JSONSortKey.precedes(keys[$0], keys[$1]) }
        let names = order.map { Self.name(keys[$0].value) }
        if names.allSatisfy({ $0 != nil }) {
            return try Self.encodeObject(state, path, zip(names, order).map { SortableName($0!, $1) }, values)
        }
        var pairs = GrowingBuffer<JSON>(capacity: 2 * count)
        for (index, place) in order.enumerated() {
            pairs.append(keys[place].value)
            pairs.append(try state.encode(values[place], nil, at: path, AnyCodingKey(2 * index + 1)))
        }
        return .array(pairs.takeArray())
    }

    /// The keys, which are strings, in order.
    private func sortedNames() -> [SortableName] {
        var names: [SortableName] = []
        names.reserveCapacity(count)
        for key in keys { names.append(SortableName(retyped(key) as String, names.count)) }
        names.sort()
        return names
    }

    private static func encodeObject(
        _ state: EncodingState, _ path: CodingPath, _ names: [SortableName], _ values: [Value]
    ) throws -> JSON {
        var members = GrowingBuffer<Member>(capacity: values.count)
        for name in names {
            path.move(toMember: name.text)
            members.append(Member(name.text, try state.encode(values[name.place], nil, at: path, nil)))
        }
        return .object(members.takeObject())
    }

    private static func encodedKey(_ key: Key, _ state: EncodingState, _ path: CodingPath) throws -> JSON {
        if let key = key as? any CodingKeyRepresentable, !(key is any FixedWidthInteger) {
            return JSON(key.codingKey.stringValue)
        }
        return try state.encode(key, nil, at: path, nil)
    }

    /// A copy, because the key may be part of a document, and have escapes.
    private static func name(_ key: JSON) -> Text? {
        switch key {
        case .string(let string): Text(string.string)
        case .number(let number) where Key.self is any FixedWidthInteger.Type: Text(number.spelling)
        default: nil
        }
    }
}

/// A key of a dictionary, and its position among the keys before sorting. Keys are compared by their bytes. The first
/// eight bytes are stored as a number, so that most comparisons compare two numbers.
private struct SortableName: Comparable {
    let text: Text
    let place: Int
    private let beginning: UInt64

    init(_ text: Text, _ place: Int) {
        (self.text, self.place) = (text, place)
        beginning =
            switch text {
            case .short(let short): UInt64(bigEndian: short.low)
            // Longer than a short text.
            case .slice(let slice), .escaped(let slice):
                UInt64(bigEndian: UnsafeRawPointer(slice.start).loadUnaligned(as: UInt64.self))
            }
    }

    init(_ name: String, _ place: Int) { self.init(Text(name), place) }

    static func == (a: SortableName, b: SortableName) -> Bool { Text.sameBytes(a.text, b.text) }

    static func < (a: SortableName, b: SortableName) -> Bool {
        a.beginning == b.beginning ? Text.precedes(a.text, b.text) : a.beginning < b.beginning
    }
}

/// Sets are sorted by element, so that an unchanged set is written unchanged.
extension Set: CollectionEncoding where Element: Encodable {
    func encode(_ state: EncodingState, at parent: CodingPath?, _ key: (any CodingKey)?) throws -> JSON {
        let path = CodingPath(at: parent, key)
        let elements = try map { JSONSortKey(try state.encode($0, nil, at: path, nil)) }
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

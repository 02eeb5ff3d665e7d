/// Decodes collections directly: their own `Decodable` conformance would request each element through three layers of
/// dynamic types.
protocol CollectionDecoding {
    /// Whether its elements are objects.
    static var holdsObjects: Bool { get }

    init(_ state: DecodingState, _ node: DecodingNode) throws

    /// Decodes only the elements in which a node differs from the one that this collection was decoded from; nil if
    /// their elements do not correspond.
    func changed(from old: JSON, to node: DecodingNode, _ state: DecodingState) throws -> Self?
}

extension Array: CollectionDecoding where Element: Decodable {
    static var holdsObjects: Bool { Element.self is AnyClass }

    init(_ state: DecodingState, _ node: DecodingNode) throws {
        guard let elements = node.value.array else { throw ScalarDecoding.mismatch("an array", [Any].self, node) }
        if let scalars = Self.decodeScalars(elements) {
            self = scalars
            return
        }
        self.init()
        reserveCapacity(elements.count)
        for (index, value) in elements.enumerated() { append(try Self.element(value, at: index, state, node)) }
    }

    private static func element(
        _ value: JSON, at index: Int, _ state: DecodingState, _ node: DecodingNode
    ) throws -> Element {
        let path = CodingPath(node.path, AnyCodingKey(index))
        return try state.decode(Element.self, DecodingNode(value, path: path, node.tracking.child(String(index))))
    }

    func changed(from old: JSON, to node: DecodingNode, _ state: DecodingState) throws -> [Element]? {
        guard let before = old.array, let after = node.value.array, before.count == count else { return nil }
        guard after.count == count else { return try resized(from: before, to: after, state, node) }
        var result = self
        var failure: (any Error)?
        before.forEachUnsharedPair(with: after) { index, mine, theirs in
            if failure != nil || mine.isIdentical(to: theirs) { return }
            do { result[index] = try Self.element(theirs, at: index, state, node) } catch { failure = error }
        }
        if let failure { throw failure }
        return result
    }

    /// Keeps the elements before and after an insertion or a removal.
    private func resized(
        from before: JSONArray, to after: JSONArray, _ state: DecodingState, _ node: DecodingNode
    ) throws -> [Element] {
        let shorter = Swift.min(before.count, after.count)
        let prefix = (0..<shorter).first { !before[$0].isIdentical(to: after[$0]) } ?? shorter
        let rest = shorter - prefix
        let suffix =
            (0..<rest).first { !before[before.count - 1 - $0].isIdentical(to: after[after.count - 1 - $0]) } ?? rest
        var result = Array(self[..<prefix])
        result.reserveCapacity(after.count)
        for index in prefix..<after.count - suffix {
            result.append(try Self.element(after[index], at: index, state, node))
        }
        result += self[(count - suffix)...]
        return result
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

/// The values of dictionaries take no defaults from their location, and keys that are strings in JSON form an object,
/// whatever their Swift type.
extension Dictionary: CollectionDecoding where Key: Decodable, Value: Decodable {
    static var holdsObjects: Bool { Value.self is AnyClass }

    init(_ state: DecodingState, _ node: DecodingNode) throws {
        switch node.value {
        case .object(let members):
            self.init(minimumCapacity: members.count)
            for (name, value) in members {
                let (key, value) = try Self.member(name, value, state, node)
                self[key] = value
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

    private static func member(
        _ name: String, _ value: JSON, _ state: DecodingState, _ node: DecodingNode
    ) throws -> (Key, Value) {
        let path = CodingPath(node.path, AnyCodingKey(name))
        let key = try Self.key(name, state, DecodingNode(JSON(name), path: path))
        return (key, try state.decode(Value.self, DecodingNode(value, path: path, node.tracking.child(name))))
    }

    func changed(from old: JSON, to node: DecodingNode, _ state: DecodingState) throws -> [Key: Value]? {
        guard let before = old.object, let after = node.value.object, before.count == count else { return nil }
        var result = self
        var failure: (any Error)?
        before.forEachUnsharedPair(with: after) { name, _, theirs in
            if failure != nil { return }
            let name = (copy name).string
            do {
                if let theirs {
                    let (key, value) = try Self.member(name, theirs, state, node)
                    result[key] = value
                } else {
                    let path = CodingPath(node.path, AnyCodingKey(name))
                    result[try Self.key(name, state, DecodingNode(JSON(name), path: path))] = nil
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        // Strings of other bytes may be the same key.
        return result.count == after.count ? result : nil
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

/// Encodes collections directly: their own `Encodable` conformance would pass each element through three layers of
/// dynamic types.
protocol CollectionEncoding {
    /// Encodes the value at `key` in `parent`; without a key, that at `parent` itself.
    func encode(_ state: EncodingState, at parent: CodingPath?, _ key: (any CodingKey)?) throws -> JSON
}

extension Array: CollectionEncoding where Element: Encodable {
    func encode(_ state: EncodingState, at parent: CodingPath?, _ key: (any CodingKey)?) throws -> JSON {
        var values = GrowingBuffer<JSON>(capacity: count)
        if Element.self == String.self {
            for string in ScalarEncoding.same(self) as [String] { values.append(JSON(string)) }
        } else if Element.self == Int.self {
            for integer in ScalarEncoding.same(self) as [Int] { values.append(JSON(integer)) }
        } else {
            let path = CodingPath(at: parent, key)
            for (index, element) in enumerated() {
                values.append(try state.encode(element, nil, at: path, AnyCodingKey(index)))
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
        let places: [Index] = Array(indices)
        if Key.self == String.self { return try encodeObject(state, path, places, sortedNames()) }
        let keys = try self.keys.map { JSONSortKey(try Self.encodedKey($0, state, path)) }
        let order = keys.indices.sorted { JSONSortKey.precedes(keys[$0], keys[$1]) }
        let names = order.map { Self.name(keys[$0].value) }
        if names.allSatisfy({ $0 != nil }) {
            return try encodeObject(state, path, places, zip(names, order).map { SortableName($0!, $1) })
        }
        var pairs = GrowingBuffer<JSON>(capacity: 2 * count)
        for (index, place) in order.enumerated() {
            pairs.append(keys[place].value)
            pairs.append(try state.encode(values[places[place]], nil, at: path, AnyCodingKey(2 * index + 1)))
        }
        return .array(pairs.takeArray())
    }

    /// The keys, which are strings, in order.
    private func sortedNames() -> [SortableName] {
        var names: [SortableName] = []
        names.reserveCapacity(count)
        for key in keys { names.append(SortableName(ScalarEncoding.same(key) as String, names.count)) }
        names.sort()
        return names
    }

    private func encodeObject(
        _ state: EncodingState, _ path: CodingPath, _ places: [Index], _ names: [SortableName]
    ) throws -> JSON {
        var members = GrowingBuffer<Member>(capacity: count)
        for name in names {
            let value = try state.encode(values[places[name.place]], nil, at: path, AnyCodingKey(name.text))
            members.append(Member(name.text, value))
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

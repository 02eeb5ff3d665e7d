import BenchmarkData
import LosslessJSON

/// An object with many keys, the same keys in a `Dictionary`, and keys to look up.
struct KeyedObject {
    static let counts = [10, 1_000, 100_000]

    let text: [UInt8]
    let object: JSONObject
    let dictionary: [String: Int]
    /// 1,024 keys of the object in shuffled order.
    let present: [String]
    /// 1,024 keys that it lacks.
    let absent: [String]

    init(_ keys: ObjectKeys, _ count: Int) {
        let names = (0..<count).map { keys.key($0) }
        let members = names.enumerated().map { "\"\($1)\":\($0)" }
        text = Array("{\(members.joined(separator: ","))}".utf8)
        guard let object = try? JSONDocument(parsing: text).value.object else {
            preconditionFailure("generated text is not an object")
        }
        self.object = object
        dictionary = Dictionary(uniqueKeysWithValues: zip(names, 0...))
        var numbers = SeededGenerator(7)
        present = (0..<1_024).map { _ in numbers.element(of: names) }
        absent = (0..<1_024).map { _ in keys.key(count + numbers.number(in: 0..<count)) }
    }
}

extension KeyedObject {
    /// Every combination of count and kind of keys.
    static let all: [(keys: ObjectKeys, count: Int, prepared: LazyValue<KeyedObject>)] = ObjectKeys.allCases.flatMap {
        keys in
        counts.map { count in (keys, count, LazyValue { KeyedObject(keys, count) }) }
    }
}

/// Repeats a sequence of elements indefinitely, so that consecutive iterations of a benchmark use different data.
struct CyclingIterator<Element> {
    private let elements: [Element]
    private var index = 0

    /// The number of `elements` must be a power of two.
    init(_ elements: [Element]) {
        precondition(elements.count.nonzeroBitCount == 1, "the number of elements is not a power of two")
        self.elements = elements
    }

    mutating func next() -> Element {
        index = (index &+ 1) & (elements.count &- 1)
        return elements[index]
    }
}

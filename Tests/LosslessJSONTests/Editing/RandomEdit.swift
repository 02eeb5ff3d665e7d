import LosslessJSON
import TestSupport

/// Random changes of every kind.
struct RandomEdit {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed) }

    private static let scalars = [
        "null", "true", "0", "-1.50", "1e2", "12345678901234567890123", #""a""#,
        #""a \"longer\" string\nof two lines""#,
        #""\u00e9""#,
    ]

    /// A random new value.
    mutating func value(depth: Int = 2) -> JSON {
        switch random.below(depth == 0 ? 5 : 8) {
        case 0...4: try! JSON(parsing: random.pick(RandomEdit.scalars))
        case 5: .array(JSONArray((0..<random.below(4)).map { _ in value(depth: depth - 1) }))
        default: .object(JSONObject((0..<random.below(4)).map { ("n\($0)", value(depth: depth - 1)) }))
        }
    }

    /// A random change of `value`.
    mutating func change(of value: JSON) -> JSONChange {
        var path: [String] = []
        var here = value
        while true {
            switch here {
            case .object(let object):
                if random.chance(25) || object.isEmpty { return added(to: object, path) }
                let key = random.pick(object.map(\.key))
                path.append(key)
                if let change = changed(object[key]!, path) { return change }
                here = object[key]!
            case .array(let array):
                if random.chance(25) || array.isEmpty {
                    return JSONChange(
                        at: JSONPointer(path + [String(random.below(array.count + 1))]), from: nil, to: self.value())
                }
                let index = random.below(array.count)
                path.append(String(index))
                if let change = changed(array[index], path) { return change }
                here = array[index]
            default: return JSONChange(at: JSONPointer(path), from: here, to: self.value())
            }
        }
    }

    private mutating func added(to object: JSONObject, _ path: [String]) -> JSONChange {
        var key = random.pick([
            "new", "caf\u{E9}", "cafe\u{301}", "a\"\\b", "", "a key that is longer than fourteen bytes",
        ])
        while object[key] != Optional.none { key += "+" }
        return JSONChange(at: JSONPointer(path + [key]), from: nil, to: value())
    }

    /// nil to continue inside the value.
    private mutating func changed(_ old: JSON, _ path: [String]) -> JSONChange? {
        switch random.below(5) {
        case 0: JSONChange(at: JSONPointer(path), from: old, to: nil)
        case 1: JSONChange(at: JSONPointer(path), from: old, to: value())
        default: nil
        }
    }
}

extension JSON {
    /// Whether this is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The truth value, if this is one.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number, if this is one.
    public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }

    /// The number as an `Int`, if it is a whole number that fits exactly: `1e3` and `8080.0` do, `1.5` does not.
    public var int: Int? { number?.int }

    /// The number as a `UInt64`, if it is a whole number that fits exactly.
    public var uint64: UInt64? { number?.uint64 }

    /// The number as the nearest `Double`, if it is within the range of `Double`.
    public var double: Double? { number?.double }

    /// The text, if this is a string.
    public var string: String? { if case .string(let value) = self { value.string } else { nil } }

    /// The elements, if this is an array.
    public var array: JSONArray? { if case .array(let value) = self { value } else { nil } }

    /// The members, if this is an object.
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// The member of an object; nil when there is none, or when this is no object.
    ///
    /// Setting replaces the member where it stands or appends it, setting nil removes it. On `null` it begins a new
    /// object; on other values there is nothing to set, which is an error of the program and traps.
    public subscript(key: String) -> JSON? {
        get { object?[key] }
        set {
            var members: JSONObject
            switch self {
            case .object(let object): members = object
            case .null where newValue == nil: return
            case .null: members = JSONObject()
            default: preconditionFailure("a member \"\(key)\" cannot be set in \(kind), only in an object")
            }
            members[key] = newValue
            self = .object(members)
        }
    }

    /// The element of an array; nil when the index is out of range, or when this is no array.
    ///
    /// Setting replaces the element, at `count` it appends; setting nil removes it. Anything else traps.
    public subscript(index: Int) -> JSON? {
        get {
            guard case .array(let array) = self, array.indices.contains(index) else { return nil }
            return array[index]
        }
        set {
            guard case .array(var array) = self else {
                preconditionFailure("an element \(index) cannot be set in \(kind), only in an array")
            }
            switch newValue {
            case let value? where index == array.count: array.append(value)
            case let value?: array[index] = value
            case nil: array.remove(at: index)
            }
            self = .array(array)
        }
    }

    /// The value at a path, `json[at: "http.port"]`; nil when there is none.
    public subscript(at pointer: JSONPointer) -> JSON? {
        var here = self
        for token in pointer.tokens {
            switch here {
            case .object(let object):
                guard let next = object[token] else { return nil }
                here = next
            case .array(let array):
                guard let index = JSONPointer.index(token), index < array.count else { return nil }
                here = array[index]
            default: return nil
            }
        }
        return here
    }

    /// Whether this is an array or an object.
    var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    /// What this is, in words that fit a message: "a number", "an object".
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSON {
    /// Whether this is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The Boolean, if this is one.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number, if this is one.
    public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }

    /// The number as an `Int`, if it is a whole number that fits exactly: `1e3` and `8080.0` do, `1.5` does not.
    public var int: Int? { number?.int }

    /// The number as a `UInt64`, if it is a whole number that fits exactly.
    public var uint64: UInt64? { number?.uint64 }

    /// The number as the nearest `Double`, if it is in the range of `Double`.
    public var double: Double? { number?.double }

    /// The text, if this is a string.
    public var string: String? { if case .string(let value) = self { value.string } else { nil } }

    /// The elements, if this is an array.
    public var array: JSONArray? { if case .array(let value) = self { value } else { nil } }

    /// The members, if this is an object.
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// The member of an object; nil if there is none, or if this is not an object.
    ///
    /// Setting a value replaces the member in place or appends it; setting nil removes it. On `null`, setting creates
    /// an object. On any other value it has no effect, since a file may contain anything; ``setting(_:to:)`` throws
    /// instead.
    public subscript(key: String) -> JSON? {
        get { object?[key] }
        set {
            var members: JSONObject
            switch self {
            case .object(let object): members = object
            case .null where newValue == nil: return
            case .null: members = JSONObject()
            default: return
            }
            members[key] = newValue
            self = .object(members)
        }
    }

    /// The element of an array; nil if the index is out of range, or if this is not an array.
    ///
    /// Setting a value replaces the element, or appends it at `count`; setting nil removes it. If the index is out of
    /// range, or if this is not an array, setting has no effect; ``setting(_:to:)`` throws instead.
    public subscript(index: Int) -> JSON? {
        get {
            guard case .array(let array) = self, array.indices.contains(index) else { return nil }
            return array[index]
        }
        set {
            guard case .array(var array) = self else { return }
            switch newValue {
            case let value? where index == array.count: array.append(value)
            case let value? where array.indices.contains(index): array[index] = value
            case nil where array.indices.contains(index): array.remove(at: index)
            default: return
            }
            self = .array(array)
        }
    }

    /// The value at a path, `json[at: "http.port"]`; nil if there is none.
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

    /// The kind of value, as messages name it: "a number", "an object".
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

extension JSON {
    /// The value two keys deep, equal to two consecutive subscripts but without intermediate copies.
    public subscript(_ first: String, _ second: String) -> JSON? {
        guard case .object(let object) = self, let member = object.member(first) else { return nil }
        return JSON.member(second, of: member)?.pointee.value
    }

    /// The value three keys deep, equal to three consecutive subscripts but without intermediate copies.
    public subscript(_ first: String, _ second: String, _ third: String) -> JSON? {
        guard case .object(let object) = self, let member = object.member(first),
            let inner = JSON.member(second, of: member)
        else { return nil }
        return JSON.member(third, of: inner)?.pointee.value
    }

    /// The pointer is valid as long as the outermost object: shared storage never changes.
    @inline(__always)
    private static func member(_ key: String, of parent: UnsafeMutablePointer<Member>) -> UnsafeMutablePointer<Member>?
    {
        guard case .object(let object)? = parent.pointee.value else { return nil }
        return object.member(key)
    }
}

/// Decodes the types that JSON's own scalars stand for.
enum ScalarDecoding {
    /// Whether `type` is one of them.
    ///
    /// Comparing types is cheap, and where the compiler knows the type it does the comparing.
    static func knows(_ type: Any.Type) -> Bool {
        type == String.self || type == Int.self || type == Bool.self || type == Double.self || isRare(type)
    }

    private static func isRare(_ type: Any.Type) -> Bool {
        type == Float.self || type == UInt.self || type == Int64.self || type == UInt64.self || type == Int32.self
            || type == UInt32.self || type == Int16.self || type == UInt16.self || type == Int8.self
            || type == UInt8.self || type == Int128.self || type == UInt128.self
    }

    /// As one of the types that are ``knows(_:)``.
    static func decode<Value>(_ type: Value.Type, _ place: DecodingPlace) throws -> Value {
        if type == String.self { return same(try string(place), as: type) }
        if type == Int.self { return same(try integer(place) as Int, as: type) }
        if type == Bool.self { return same(try bool(place), as: type) }
        if type == Double.self { return same(try double(place), as: type) }
        if type == Float.self { return same(try float(place), as: type) }
        if type == UInt.self { return same(try integer(place) as UInt, as: type) }
        if type == Int64.self { return same(try integer(place) as Int64, as: type) }
        if type == UInt64.self { return same(try integer(place) as UInt64, as: type) }
        if type == Int32.self { return same(try integer(place) as Int32, as: type) }
        if type == UInt32.self { return same(try integer(place) as UInt32, as: type) }
        if type == Int16.self { return same(try integer(place) as Int16, as: type) }
        if type == UInt16.self { return same(try integer(place) as UInt16, as: type) }
        if type == Int8.self { return same(try integer(place) as Int8, as: type) }
        if type == UInt8.self { return same(try integer(place) as UInt8, as: type) }
        if type == Int128.self { return same(try integer(place) as Int128, as: type) }
        if type == UInt128.self { return same(try integer(place) as UInt128, as: type) }
        preconditionFailure("\(type) is no scalar")
    }

    /// The two types are the same: the caller has compared them, and a cast would ask the runtime again.
    @inline(__always)
    private static func same<Known, Value>(_ value: Known, as type: Value.Type) -> Value {
        precondition(Known.self == Value.self, "one type under two names")
        return unsafeBitCast(value, to: Value.self)
    }

    /// What all elements are; nil when one is something else.
    static func all<Scalar>(_ elements: JSONArray, _ scalar: (JSON) -> Scalar?) -> [Scalar]? {
        var scalars: [Scalar] = []
        scalars.reserveCapacity(elements.count)
        for element in elements {
            guard let scalar = scalar(element) else { return nil }
            scalars.append(scalar)
        }
        return scalars
    }

    private static func string(_ place: DecodingPlace) throws -> String {
        guard let string = place.value.string else { throw mismatch("a string", String.self, place) }
        return string
    }

    private static func bool(_ place: DecodingPlace) throws -> Bool {
        guard let bool = place.value.bool else { throw mismatch("true or false", Bool.self, place) }
        return bool
    }

    private static func integer<Integer: FixedWidthInteger>(_ place: DecodingPlace) throws -> Integer {
        guard let number = place.value.number else { throw mismatch("a whole number", Integer.self, place) }
        if let integer = number.integer(as: Integer.self) { return integer }
        let isWhole = number.integer(as: Int128.self) != nil
        let range = isWhole ? " from \(Integer.min) to \(Integer.max)" : ""
        throw mismatch("a whole number" + range, Integer.self, place, code: isWhole ? .value : .type)
    }

    private static func double(_ place: DecodingPlace) throws -> Double {
        guard let number = place.value.number else { throw mismatch("a number", Double.self, place) }
        guard let double = number.double else {
            throw mismatch("a number within ±1.8e308", Double.self, place, code: .value)
        }
        return double
    }

    private static func float(_ place: DecodingPlace) throws -> Float {
        guard let number = place.value.number else { throw mismatch("a number", Float.self, place) }
        guard let float = number.float else {
            throw mismatch("a number within ±3.4e38", Float.self, place, code: .value)
        }
        return float
    }

    /// Swift's error, so that types can catch it and try something else, with the words for people inside.
    static func mismatch(
        _ expected: String, _ type: Any.Type, _ place: DecodingPlace, code: JSONCodingError.Code = .type
    ) -> DecodingError {
        let text = "must be \(expected), found \(place.value.inMessage)"
        let context = DecodingError.Context(
            codingPath: place.codingPath, debugDescription: text, underlyingError: Complaint(code: code, text: text))
        if place.value.isNull && code == .type { return .valueNotFound(type, context) }
        return code == .type ? .typeMismatch(type, context) : .dataCorrupted(context)
    }
}

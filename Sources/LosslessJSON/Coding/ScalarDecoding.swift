/// Decodes the types that JSON scalars represent.
enum ScalarDecoding {
    /// Whether `type` is one of them.
    ///
    /// Comparing types is cheap, and the compiler does it where the type is known.
    static func knows(_ type: Any.Type) -> Bool {
        type == String.self || type == Int.self || type == Bool.self || type == Double.self || isRare(type)
    }

    private static func isRare(_ type: Any.Type) -> Bool {
        type == Float.self || type == UInt.self || type == Int64.self || type == UInt64.self || type == Int32.self
            || type == UInt32.self || type == Int16.self || type == UInt16.self || type == Int8.self
            || type == UInt8.self || type == Int128.self || type == UInt128.self
    }

    /// Decodes one of the types for which ``knows(_:)`` is true.
    static func decode<Value>(_ type: Value.Type, _ node: DecodingNode) throws -> Value {
        if type == String.self { return retyped(try string(node)) }
        if type == Int.self { return retyped(try integer(node) as Int) }
        if type == Bool.self { return retyped(try bool(node)) }
        if type == Double.self { return retyped(try double(node)) }
        if type == Float.self { return retyped(try float(node)) }
        if type == UInt.self { return retyped(try integer(node) as UInt) }
        if type == Int64.self { return retyped(try integer(node) as Int64) }
        if type == UInt64.self { return retyped(try integer(node) as UInt64) }
        if type == Int32.self { return retyped(try integer(node) as Int32) }
        if type == UInt32.self { return retyped(try integer(node) as UInt32) }
        if type == Int16.self { return retyped(try integer(node) as Int16) }
        if type == UInt16.self { return retyped(try integer(node) as UInt16) }
        if type == Int8.self { return retyped(try integer(node) as Int8) }
        if type == UInt8.self { return retyped(try integer(node) as UInt8) }
        if type == Int128.self { return retyped(try integer(node) as Int128) }
        if type == UInt128.self { return retyped(try integer(node) as UInt128) }
        preconditionFailure("\(type) is no scalar")
    }

    /// Converts all elements; nil if one has another type.
    static func all<Scalar>(_ elements: JSONArray, _ scalar: (JSON) -> Scalar?) -> [Scalar]? {
        var scalars: [Scalar] = []
        scalars.reserveCapacity(elements.count)
        for element in elements {
            guard let scalar = scalar(element) else { return nil }
            scalars.append(scalar)
        }
        return scalars
    }

    private static func string(_ node: DecodingNode) throws -> String {
        guard let string = node.value.string else { throw mismatch("a string", String.self, node) }
        if string.exceedsCombiningMarkLimit {
            throw mismatch("a string \(String.combiningMarkLimitText)", String.self, node, code: .value)
        }
        return string
    }

    private static func bool(_ node: DecodingNode) throws -> Bool {
        guard let bool = node.value.bool else { throw mismatch("true or false", Bool.self, node) }
        return bool
    }

    private static func integer<Integer: FixedWidthInteger>(_ node: DecodingNode) throws -> Integer {
        guard let number = node.value.number else { throw mismatch("a whole number", Integer.self, node) }
        if let integer = number.integer(as: Integer.self) { return integer }
        let isWhole = number.integer(as: Int128.self) != nil
        let range = isWhole ? " from \(Integer.min) to \(Integer.max)" : ""
        throw mismatch("a whole number" + range, Integer.self, node, code: isWhole ? .value : .type)
    }

    private static func double(_ node: DecodingNode) throws -> Double {
        guard let number = node.value.number else { throw mismatch("a number", Double.self, node) }
        guard let double = number.double else {
            throw mismatch("a number within ±1.8e308", Double.self, node, code: .value)
        }
        return double
    }

    private static func float(_ node: DecodingNode) throws -> Float {
        guard let number = node.value.number else { throw mismatch("a number", Float.self, node) }
        guard let float = number.float else {
            throw mismatch("a number within ±3.4e38", Float.self, node, code: .value)
        }
        return float
    }

    /// Swift's own error, so that types can catch it and try another representation, with the message for people
    /// inside.
    static func mismatch(
        _ expected: String, _ type: Any.Type, _ node: DecodingNode, code: JSONCodingError.Code = .type
    ) -> DecodingError {
        let text = "must be \(expected), found \(node.value.inMessage)"
        let context = DecodingError.Context(
            codingPath: node.codingPath, debugDescription: text,
            underlyingError: CodingErrorDetail(code: code, message: text))
        if node.value.isNull && code == .type { return .valueNotFound(type, context) }
        return code == .type ? .typeMismatch(type, context) : .dataCorrupted(context)
    }
}

extension String {
    /// The maximum number of consecutive combining marks in a decoded string.
    ///
    /// Swift normalizes strings for comparison and hashing, for which it sorts the marks between two letters: the time
    /// grows with the square of their number, half a second for 40,000. Unicode's Stream-Safe Text Format allows 30.
    static let combiningMarkLimit = 256

    static let combiningMarkLimitText = "with at most \(combiningMarkLimit) combining marks in a row"

    /// Whether comparing or hashing the string could take far more than linear time.
    var exceedsCombiningMarkLimit: Bool {
        // A mark has at least two bytes.
        if utf8.count <= 2 * String.combiningMarkLimit { return false }
        var run = 0
        for byte in utf8 {
            run = byte < 0x80 ? 0 : run + 1
            if run > 2 * String.combiningMarkLimit { return countExceedsCombiningMarkLimit }
        }
        return false
    }

    private var countExceedsCombiningMarkLimit: Bool {
        var run = 0
        for scalar in unicodeScalars {
            run = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : run + 1
            if run > String.combiningMarkLimit { return true }
        }
        return false
    }
}

extension JSON {
    /// The string, if this is one that can be decoded to a Swift type.
    var decodableString: String? { string.flatMap { $0.exceedsCombiningMarkLimit ? nil : $0 } }
}

extension JSON {
    /// The member of an object, decoded as `type`; nil if it is missing, `null`, or has another type.
    ///
    /// ```swift
    /// let rating = json["rating", as: Int.self] ?? 3
    /// ```
    ///
    /// For `Int`, `Double`, `Bool` and `String`, this costs little more than finding the member. To find out what is
    /// wrong with a value, use ``value(_:at:conversions:defaults:)``.
    @inlinable
    public subscript<Value: Decodable>(_ key: String, as type: Value.Type) -> Value? {
        // Where the caller knows the type, the compiler removes the comparisons.
        if Value.self == Int.self { return JSON.same(int(of: key)) }
        if Value.self == String.self { return JSON.same(string(of: key)) }
        if Value.self == Bool.self { return JSON.same(bool(of: key)) }
        if Value.self == Double.self { return JSON.same(double(of: key)) }
        return decoded(key, as: type)
    }

    /// The value at a path, decoded as `type`; nil if it is missing or `null`.
    ///
    /// ```swift
    /// let port = try json.value(Int.self, at: "http.port") ?? 8080
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - pointer: The path of the value.
    ///   - conversions: How to decode types whose own coding is not meant for people.
    ///   - defaults: The source of missing members, usually an encoded default value.
    /// - Throws: ``JSONCodingError`` with the path from this value, if the value has another type: `"http.port" must be
    ///   a whole number, found "eighty"`.
    public func value<Value: Decodable>(
        _ type: Value.Type = Value.self, at pointer: JSONPointer, conversions: JSONConversions = JSONConversions(),
        defaults: JSON? = nil
    ) throws(JSONCodingError) -> Value? {
        guard let value = self[at: pointer], !value.isNull else { return nil }
        let path = pointer.tokens.reduce(nil) { CodingPath($0, AnyCodingKey($1)) }
        let state = DecodingState(conversions, [:])
        return try JSONValueDecoder(conversions: conversions).decode(
            type, DecodingNode(value, fallback: defaults, path: path), state)
    }

    /// The caller has checked that the two types are equal; a cast would check again at run time.
    @inlinable @inline(__always)
    static func same<Known, Value>(_ value: Known?) -> Value? {
        precondition(Known.self == Value.self, "one type under two names")
        return unsafeBitCast(value, to: Value?.self)
    }

    @usableFromInline
    func int(of key: String) -> Int? { member(key)?.pointee.value?.int }

    @usableFromInline
    func string(of key: String) -> String? { member(key)?.pointee.value?.decodableString }

    @usableFromInline
    func bool(of key: String) -> Bool? { member(key)?.pointee.value?.bool }

    @usableFromInline
    func double(of key: String) -> Double? { member(key)?.pointee.value?.double }

    @usableFromInline
    func decoded<Value: Decodable>(_ key: String, as type: Value.Type) -> Value? {
        guard let value = self[key], !value.isNull else { return nil }
        return try? JSONValueDecoder().decode(type, from: value)
    }

    /// A pointer to a member in the storage, valid as long as this value.
    @inline(__always)
    private func member(_ key: String) -> UnsafeMutablePointer<Member>? {
        guard case .object(let object) = self else { return nil }
        return object.member(key)
    }
}

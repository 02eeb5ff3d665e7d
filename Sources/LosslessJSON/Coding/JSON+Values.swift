extension JSON {
    /// The value at a pointer as a type; nil if there is none or it is null.
    ///
    /// - Throws: ``JSONCodingError`` if the value has another type, with its path.
    public func value<Value: Decodable>(_ type: Value.Type, at pointer: JSONPointer) throws(JSONCodingError) -> Value? {
        guard let found = self[at: pointer], !found.isNull else { return nil }
        if let json = found as? Value { return json }
        return try JSONValueDecoder().decode(type, from: found)
    }

    /// A member as a type; nil if there is none, it is null, or it has another type.
    public subscript<Value: Decodable>(_ key: String, as type: Value.Type) -> Value? {
        try? value(type, at: JSONPointer([key]))
    }
}

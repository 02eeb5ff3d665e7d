// Other encoders.
extension ObjectStore {
    /// Saves an object with another encoder. The encoded bytes are saved as ``save(bytes:as:)`` does.
    ///
    /// ```swift
    /// try await store.save("hello", as: "greeting") { Array($0.utf8) }
    /// let greeting = try store.load("greeting") { String(decoding: $0, as: UTF8.self) }
    /// ```
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - identifier: The identifier.
    ///   - encoding: Encodes the object, before the save begins.
    /// - Throws: The errors of ``save(bytes:as:)``, and those of `encoding`.
    public func save<Object>(
        _ object: Object, as identifier: String, encoding: (Object) throws -> some Sequence<UInt8>
    ) async throws {
        try await save(bytes: try encoding(object), as: identifier)
    }

    /// Saves an object as ``save(_:as:encoding:)`` does, blocking the thread.
    ///
    /// - Throws: The errors of ``save(_:as:encoding:)``.
    public func saveBlocking<Object>(
        _ object: Object, as identifier: String, encoding: (Object) throws -> some Sequence<UInt8>
    ) throws {
        try saveBlocking(bytes: try encoding(object), as: identifier)
    }

    /// Loads an object that ``save(_:as:encoding:)`` has saved; nil if there is none, or if it is older than the
    /// maximum age of ``Limit``.
    ///
    /// - Parameters:
    ///   - identifier: The identifier.
    ///   - decoding: Decodes the bytes.
    /// - Throws: The errors of ``loadBytes(_:)``, and those of `decoding`.
    public func load<Object>(_ identifier: String, decoding: ([UInt8]) throws -> Object) throws -> Object? {
        try loadBytes(identifier).map(decoding)
    }
}

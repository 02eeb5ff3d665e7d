internal import LosslessJSON

/// Encodes and decodes the value of a session.
struct RootCoder: Sendable {
    let conversions: JSONConversions
    /// The encoded defaults, used for values that the file leaves out.
    let defaults: JSON

    /// The coder of a session without a file.
    static let standard = RootCoder(conversions: .standard, defaults: .object([:]))

    func encode(_ root: some Encodable) throws(JSONCodingError) -> JSON {
        try JSONValueEncoder(conversions: conversions).encode(root, defaults: defaults)
    }

    func decode<Root: Decodable>(_ type: Root.Type, from tree: JSON) throws(JSONCodingError) -> Root {
        try JSONValueDecoder(conversions: conversions).decode(type, from: tree, defaults: defaults)
    }

    func decode<Root: Decodable>(
        _ type: Root.Type, from tree: JSON, unknownKeys: inout [JSONUnknownKey]
    ) throws(JSONCodingError) -> Root {
        try JSONValueDecoder(conversions: conversions)
            .decode(type, from: tree, defaults: defaults, unknownKeys: &unknownKeys)
    }
}

/// Creates snapshots from the content of files, independent of the type of the value.
protocol RootDecoding: Sendable {
    /// Decodes the document of a file.
    ///
    /// - Throws: The problem of the file, if it does not have a valid value.
    func snapshot(
        of document: JSONDocument, in file: String, version: Version, origin: Origin
    ) throws(SessionProblem) -> DecodedFile

    /// Decodes a tree that is not the content of a file.
    func snapshot(
        of tree: JSON, in file: String, version: Version, origin: Origin
    ) throws(SessionProblem) -> AnySnapshotStorage

    /// Encodes the value of a snapshot, including everything that the file leaves out.
    func treeWithDefaults(of snapshot: AnySnapshotStorage) throws(JSONCodingError) -> JSON
}

/// The snapshot of a file, and what its text has that the type does not.
struct DecodedFile {
    let snapshot: AnySnapshotStorage
    let unknownKeys: [SessionProblem]
}

/// Decodes values and validates them with the session's check.
struct ValidatingDecoder<Root: Codable & Sendable>: RootDecoding {
    /// Rejects a value by throwing an error.
    typealias Check = @Sendable (Root) throws -> Void

    let coder: RootCoder
    let check: Check?
    var unknownKeys = SessionOptions.UnknownKeys.ignore

    func snapshot(
        of document: JSONDocument, in file: String, version: Version, origin: Origin
    ) throws(SessionProblem) -> DecodedFile {
        let root: Root
        var unknownKeys: [JSONUnknownKey] = []
        do throws(JSONCodingError) {
            root = try decoded(document.value, &unknownKeys)
        } catch {
            throw SessionProblem(.value, in: file, at: error.path, document.locating(error))
        }
        do { try check?(root) } catch { throw SessionProblem(rejection: error, of: document, in: file) }
        return DecodedFile(
            snapshot: SnapshotStorage(root, version: version, origin: origin, source: .text(document)),
            unknownKeys: SessionProblem.problems(of: unknownKeys, in: document, file))
    }

    func snapshot(
        of tree: JSON, in file: String, version: Version, origin: Origin
    ) throws(SessionProblem) -> AnySnapshotStorage {
        let root: Root
        do throws(JSONCodingError) { root = try decoded(tree) } catch {
            throw SessionProblem(.value, in: file, at: error.path, error)
        }
        do { try check?(root) } catch { throw SessionProblem(rejection: error, of: nil, in: file) }
        return SnapshotStorage(root, version: version, origin: origin, source: .tree(tree))
    }

    func treeWithDefaults(of snapshot: AnySnapshotStorage) throws(JSONCodingError) -> JSON {
        try coder.encode(unsafeDowncast(snapshot, to: SnapshotStorage<Root>.self).root)
    }

    private func decoded(_ tree: JSON, _ unknownKeys: inout [JSONUnknownKey]) throws(JSONCodingError) -> Root {
        guard case .warn(let exemptNames) = self.unknownKeys else { return try decoded(tree) }
        if let json = tree as? Root { return json }
        let root = try coder.decode(Root.self, from: tree, unknownKeys: &unknownKeys)
        unknownKeys.removeAll { key in
            guard let name = key.path.tokens.last else { return true }
            return name == "$schema" || exemptNames.contains(name)
        }
        return root
    }

    private func decoded(_ tree: JSON) throws(JSONCodingError) -> Root {
        if let json = tree as? Root { return json }
        return try coder.decode(Root.self, from: tree)
    }
}

extension SessionProblem {
    /// The most keys whose own locations are searched, each with a pass over the text; others get those of their values.
    private static let maxLocatedKeys = 8

    /// The warnings about keys that the type does not have.
    fileprivate static func problems(
        of keys: [JSONUnknownKey], in document: JSONDocument, _ file: String
    ) -> [SessionProblem] {
        if keys.isEmpty { return [] }
        let locations = keys.count > maxLocatedKeys ? document.locations(of: keys.map(\.path)) : [:]
        return keys.map { key in
            let location = locations[key.path] ?? document.locationOfKey(of: key.path)
            let advice = key.suggestion.map { "; did you mean \(JSON($0).text(upTo: 60))?" } ?? ""
            return SessionProblem(
                .unknownKey(suggestion: key.suggestion), in: file, at: key.path,
                "\"\(key.path.inMessage)\" is not a known key\(advice)", location: location,
                excerpt: location.map { document.excerpt(at: $0.offset) })
        }
    }

    /// Creates the problem of a value that the session's check rejected with `error`.
    init(rejection error: any Error, of document: JSONDocument?, in file: String) {
        let path: JSONPointer
        let message: String
        switch error {
        case let error as ValidationError: (path, message) = (error.path, error.description)
        case let error as JSONCodingError: (path, message) = (error.path, error.message)
        default:
            self.init(.value, in: file, "\(error)")
            return
        }
        let location = document?.nearestLocation(of: path)
        self.init(
            .value, in: file, at: path, message, location: location,
            excerpt: location.flatMap { document?.excerpt(at: $0.offset) })
    }
}

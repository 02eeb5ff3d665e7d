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

    func snapshot(
        of document: JSONDocument, in file: String, version: Version, origin: Origin
    ) throws(SessionProblem) -> DecodedFile {
        let root: Root
        do throws(JSONCodingError) {
            root = try decoded(document.value)
        } catch {
            throw SessionProblem(.value, in: file, at: error.path, document.locating(error))
        }
        do { try check?(root) } catch { throw SessionProblem(rejection: error, of: document, in: file) }
        return DecodedFile(
            snapshot: SnapshotStorage(root, version: version, origin: origin, source: .text(document)), unknownKeys: [])
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

    private func decoded(_ tree: JSON) throws(JSONCodingError) -> Root {
        if let json = tree as? Root { return json }
        return try coder.decode(Root.self, from: tree)
    }
}

extension SessionProblem {
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

internal import LosslessJSON
internal import VisibleText

/// Encodes and decodes the value of a session.
struct RootCoder: Sendable {
    let conversions: JSONConversions
    /// The encoded defaults, used for values that the file leaves out.
    let defaults: JSON
    private let encodingMemory = EncodingMemory()

    /// The coder of a session without a file.
    static let standard = RootCoder(conversions: .standard, defaults: .object([:]))

    func encode(_ root: some Encodable) throws(JSONCodingError) -> JSON {
        try JSONValueEncoder(conversions: conversions).encode(root, defaults: defaults)
    }

    /// Encodes only what changed since the last call; after a load everything, with the nodes of `source`, from which the
    /// value was decoded, where they are the same.
    func encodeChanges(of root: some Encodable, sharing source: JSON? = nil) throws(JSONCodingError) -> JSON {
        try JSONValueEncoder(conversions: conversions).encode(root, defaults: defaults, sharing: source, encodingMemory)
    }

    /// Forgets what was encoded last, because it is no longer in memory.
    func forgetEncoded() { encodingMemory.forget() }

    func decode<Root: Decodable>(_ type: Root.Type, from tree: JSON) throws(JSONCodingError) -> Root {
        try JSONValueDecoder(conversions: conversions).decode(type, from: tree, defaults: defaults)
    }

    /// Decodes only what changed since `memory` was used last. Says whether the value may have unknown keys, if that
    /// `isDetecting`.
    func decode<Root: Decodable & Sendable>(
        _ type: Root.Type, from tree: JSON, _ memory: DecodingMemory, isDetecting: Bool,
        except exemptNames: Set<String>, _ mayHaveUnknownKeys: inout Bool
    ) throws(JSONCodingError) -> Root {
        try JSONValueDecoder(conversions: conversions)
            .decode(
                type, from: tree, defaults: defaults, memory, isDetecting: isDetecting, except: exemptNames,
                &mayHaveUnknownKeys)
    }

    /// The unknown keys of a value that was decoded before.
    func unknownKeys<Root: Decodable>(of type: Root.Type, in tree: JSON) -> [JSONUnknownKey] {
        JSONValueDecoder(conversions: conversions).unknownKeys(of: type, in: tree, defaults)
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

    /// Forgets the collections of the values that were decoded: the program has changed the value in memory, and both
    /// would be kept.
    func forget()

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
    var secrets: JSONSecrets = []
    private let memory = DecodingMemory()

    func forget() { memory.forget() }

    func snapshot(
        of document: JSONDocument, in file: String, version: Version, origin: Origin
    ) throws(SessionProblem) -> DecodedFile {
        var unknownKeys: [JSONUnknownKey] = []
        let root = try value(of: .text(document), in: file, &unknownKeys)
        coder.forgetEncoded()
        return DecodedFile(
            snapshot: SnapshotStorage(root, version: version, origin: origin, source: .text(document)),
            unknownKeys: SessionProblem.problems(of: unknownKeys, in: document, file, hiding: secrets))
    }

    func snapshot(
        of tree: JSON, in file: String, version: Version, origin: Origin
    ) throws(SessionProblem) -> AnySnapshotStorage {
        let root = try value(of: tree, in: file)
        return SnapshotStorage(root, version: version, origin: origin, source: .tree(tree))
    }

    /// Decodes and checks the value of a tree that is not the content of a file.
    func value(of tree: JSON, in file: String) throws(SessionProblem) -> Root {
        var unknownKeys: [JSONUnknownKey] = []
        return try value(of: .tree(tree), in: file, &unknownKeys)
    }

    /// Decodes and checks a value; with the keys of a text that the type does not have.
    func value(
        of content: FileContent, in file: String, _ unknownKeys: inout [JSONUnknownKey]
    ) throws(SessionProblem) -> Root {
        let root: Root
        do throws(JSONCodingError) {
            root = try decoded(content, &unknownKeys)
        } catch {
            throw SessionProblem(.value, in: file, at: error.path, secrets.redacting(error, in: content))
        }
        do { try check?(root) } catch {
            memory.forget()
            throw SessionProblem(rejection: error, in: file, of: content.tree, content.document, hiding: secrets)
        }
        return root
    }

    func treeWithDefaults(of snapshot: AnySnapshotStorage) throws(JSONCodingError) -> JSON {
        try coder.encode(unsafeDowncast(snapshot, to: SnapshotStorage<Root>.self).root)
    }

    private func decoded(
        _ content: FileContent, _ found: inout [JSONUnknownKey]
    ) throws(JSONCodingError) -> Root {
        let tree = content.tree
        // Comparing the types first costs less than a cast that fails.
        if Root.self == JSON.self, let json = tree as? Root { return json }
        var exemptNames: Set<String> = []
        var isDetecting = false
        if case .warn(let names) = unknownKeys {
            exemptNames = names.union(["$schema"])
            isDetecting = true
        }
        var mayHaveUnknownKeys = false
        let root = try coder.decode(
            Root.self, from: tree, memory, isDetecting: isDetecting, except: exemptNames, &mayHaveUnknownKeys)
        guard mayHaveUnknownKeys, content.document != nil else { return root }
        found = coder.unknownKeys(of: Root.self, in: tree)
        found.removeAll { key in key.path.tokens.last.map(exemptNames.contains) ?? true }
        if found.isEmpty { memory.foundNoUnknownKeys() }
        return root
    }
}

/// What a value is decoded from.
enum FileContent: Sendable {
    /// The text of the file.
    case text(JSONDocument)
    /// A tree that no file has yet.
    case tree(JSON)

    var tree: JSON {
        switch self {
        case .text(let document): document.value
        case .tree(let tree): tree
        }
    }

    var document: JSONDocument? { if case .text(let document) = self { document } else { nil } }
}

extension JSONSecrets {
    /// The error with its location, if there is a text.
    fileprivate func redacting(_ error: JSONCodingError, in content: FileContent) -> JSONCodingError {
        switch content {
        case .text(let document): redacting(document.locating(error), in: document)
        case .tree(let tree): redacting(error, in: tree)
        }
    }
}

extension SessionProblem {
    /// The most keys whose own locations are searched, each with a pass over the text; others get those of their
    /// values.
    private static let maxLocatedKeys = 8

    /// The warnings about keys that the type does not have.
    static func problems(
        of keys: [JSONUnknownKey], in document: JSONDocument, _ file: String, hiding secrets: JSONSecrets
    ) -> [SessionProblem] {
        if keys.isEmpty { return [] }
        let locations = keys.count > maxLocatedKeys ? document.locations(of: keys.map(\.path)) : [:]
        // A key may be that of a secret, misspelled.
        let hasExcerpt = secrets.isEmpty
        return keys.map { key in
            let location = locations[key.path] ?? document.locationOfKey(of: key.path)
            let advice = key.suggestion.map { "; did you mean \(JSON($0).text(upTo: 60))?" } ?? ""
            return SessionProblem(
                .unknownKey(suggestion: key.suggestion), in: file, at: key.path,
                "\"\(key.path.inMessage)\" is not a known key\(advice)", location: location,
                excerpt: hasExcerpt ? location.map { document.excerpt(at: $0.offset) } : nil)
        }
    }

    /// Creates the problem of a value that the session's check rejected with `error`.
    ///
    /// - Parameters:
    ///   - value: The tree of the value.
    ///   - document: Its text, if it is the content of the file.
    init(
        rejection error: any Error, in file: String, of value: JSON?, _ document: JSONDocument? = nil,
        hiding secrets: JSONSecrets = []
    ) {
        func shown(_ message: String) -> String {
            value.map { secrets.redacting(message, in: $0) } ?? message
        }
        let path: JSONPointer
        let message: String
        switch error {
        case let error as ValidationError: (path, message) = (error.path, error.description)
        case let error as JSONCodingError: (path, message) = (error.path, error.message)
        default:
            self.init(.value, in: file, shown("\(error)".visible(upTo: 10_000)))
            return
        }
        self.init(
            .value, in: file, at: path, shown(message), location: document?.nearestLocation(of: path),
            excerpt: document.flatMap { secrets.excerpt(of: path, in: $0) })
    }

    /// Creates the problem of a value that cannot be encoded.
    init(unencodable error: JSONCodingError, in file: String, hiding secrets: JSONSecrets) {
        // The error may quote the value, which has no tree to look for secrets in.
        let message = secrets.isEmpty ? error.message : "\(error.path.subject) cannot be encoded"
        self.init(.unwritable, in: file, at: error.path, message)
    }
}

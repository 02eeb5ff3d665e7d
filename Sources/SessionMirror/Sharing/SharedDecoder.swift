internal import LosslessJSON

/// Decodes the content of a file for every session that shares it.
///
/// Accepts any JSON: what one session cannot decode is a problem of that session only. A key is unknown if no session
/// has it.
struct SharedDecoder: RootDecoding {
    let dispatchers: DispatcherList
    let secrets: JSONSecrets

    private var cells: [any SharedDecoding] { dispatchers.all.compactMap { $0.snapshotCell as? any SharedDecoding } }

    func snapshot(of document: JSONDocument, in file: String, version: Version, origin: Origin) -> DecodedFile {
        let (snapshot, unknownKeys) = decoded(.text(document), version, origin)
        return DecodedFile(snapshot: snapshot, unknownKeys: problems(of: unknownKeys, in: document, file))
    }

    func problems(of keys: [JSONUnknownKey], in document: JSONDocument, _ file: String) -> [SessionProblem] {
        SessionProblem.problems(of: keys, in: document, file, hiding: secrets)
    }

    func snapshot(of tree: JSON, in file: String, version: Version, origin: Origin) -> AnySnapshotStorage {
        decoded(.tree(tree), version, origin).snapshot
    }

    func decoded(
        _ content: FileContent, _ version: Version, _ origin: Origin
    ) -> (snapshot: SharedSnapshot, unknownKeys: [JSONUnknownKey]) {
        var outcomes: [ObjectIdentifier: SharedSnapshot.Outcome] = [:]
        var unknownKeys: [[JSONUnknownKey]?] = []
        for cell in cells {
            let (outcome, unknown) = cell.outcome(of: content, version, origin)
            outcomes[ObjectIdentifier(cell)] = outcome
            unknownKeys.append(unknown)
        }
        let snapshot = SharedSnapshot(content, version: version, origin: origin, outcomes: outcomes)
        return (snapshot, Self.unknownToAll(unknownKeys))
    }

    /// The keys that no session has.
    ///
    /// - Parameter lists: For each session, the keys that it does not have; nil if no key counts as unknown.
    private static func unknownToAll(_ lists: [[JSONUnknownKey]?]) -> [JSONUnknownKey] {
        let known = lists.compactMap(\.self)
        if known.count < lists.count { return [] }
        let paths = known.map { Set($0.map(\.path.tokens)) }
        var listed: Set<[String]> = []
        return known.joined().filter { key in
            // A type that does not have a member has nothing in it either.
            let isUnknown = paths.allSatisfy { paths in
                key.path.tokens.indices.contains { paths.contains(Array(key.path.tokens[...$0])) }
            }
            return isUnknown && listed.insert(key.path.tokens).inserted
        }
    }

    func forget() { for cell in cells { cell.forget() } }

    /// The tree with the defaults of all sessions.
    func treeWithDefaults(of snapshot: AnySnapshotStorage) throws(JSONCodingError) -> JSON {
        var tree = try snapshot.tree()
        for cell in cells {
            if let complete = cell.treeWithDefaults(of: snapshot) { tree = tree.completed(by: complete) }
        }
        return tree
    }
}

extension JSON {
    /// The tree with the members that only `other` has.
    fileprivate func completed(by other: JSON) -> JSON {
        guard var result = object, let others = other.object else { return self }
        for (key, value) in others { result[key] = result[key]?.completed(by: value) ?? value }
        return .object(result)
    }
}

internal import Locking
internal import LosslessJSON

/// The baseline of an update, independent of the value's type.
class AnyUpdateBaseline: @unchecked Sendable {
    // Immutable.
    final let tree: JSON

    fileprivate init(_ tree: JSON) { self.tree = tree }

    /// Creates a baseline of the same type from a computed tree and the encoded value. A method, because it knows its type
    /// without looking it up.
    func next(tree: JSON, encoded: JSON, _ coder: RootCoder) -> AnyUpdateBaseline {
        preconditionFailure("every baseline has a type")
    }
}

/// The baseline of an update: the tree of the file, and the encoded value that belongs to it.
///
/// An update applies the difference of two encoded values to the tree, never the difference of the tree and a value. So
/// the file is not filled with defaults, and keeps keys that the type does not know.
final class UpdateBaseline<Root: Codable & Sendable>: AnyUpdateBaseline, @unchecked Sendable {
    // Immutable except for the lazily encoded value.
    private let coder: RootCoder
    private let root: Root?
    private let encodedValue = LazyReference<Box<JSON>>()

    /// Creates the baseline of a snapshot whose value was decoded from its tree.
    init(_ snapshot: SnapshotStorage<Root>, _ coder: RootCoder) {
        root = snapshot.root
        self.coder = coder
        super.init(snapshot.json)
    }

    override func next(tree: JSON, encoded: JSON, _ coder: RootCoder) -> AnyUpdateBaseline {
        UpdateBaseline(tree: tree, encoded: encoded, coder)
    }

    private init(tree: JSON, encoded: JSON, _ coder: RootCoder) {
        self.coder = coder
        root = nil
        super.init(tree)
        _ = encodedValue.storeIfNil(Box(encoded))
    }

    private func encoded() throws(JSONCodingError) -> JSON {
        if let encodedValue = encodedValue.load() { return encodedValue.value }
        guard let root else { preconditionFailure("a baseline has a value") }
        return encodedValue.storeIfNil(Box(try coder.encodeChanges(of: root, sharing: tree))).value
    }

    /// Returns the tree changed so that it decodes to `root`, and `root` encoded.
    func changed(to root: Root) throws(JSONCodingError) -> (tree: JSON, encoded: JSON) {
        // First, so that the coder remembers the new one.
        let before = try encoded()
        let after = try coder.encodeChanges(of: root)
        return (tree(from: before, to: after), after)
    }

    private func tree(from before: JSON, to after: JSON) -> JSON {
        var patcher = TreePatcher()
        let patched = patcher.patched(tree, from: before, to: after) ?? .object([:])
        let uncertain = patcher.createdObjects + patcher.numericDurations
        return uncertain.isEmpty ? patched : completed(patched, with: after, at: uncertain)
    }

    /// Writes values completely, as encoded, where the tree would not decode to the intended ones. This happens with
    /// dictionaries: one that the file leaves out has all its default entries, but one that the file has only its own.
    /// It also happens with types that do not read numbers as seconds.
    private func completed(_ tree: JSON, with after: JSON, at paths: [JSONPointer]) -> JSON {
        var decoded: JSON?
        if let root = try? coder.decode(Root.self, from: tree) { decoded = try? coder.encode(root) }
        var result = tree
        for path in paths where decoded == nil || decoded?[at: path] != after[at: path] {
            guard let whole = after[at: path] else { continue }
            result = (try? result.setting(path, to: whole)) ?? result
        }
        return result
    }
}

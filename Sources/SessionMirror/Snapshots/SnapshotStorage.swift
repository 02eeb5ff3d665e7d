internal import Locking
internal import LosslessJSON

/// One version of a value, independent of the value's type.
///
/// The code between the file and the readers uses this type, and so is not generic: unspecialized generic code looks up
/// type metadata at run time and takes several times as long.
@usableFromInline
package class AnySnapshotStorage: @unchecked Sendable {
    // Immutable except for lazily computed values.
    @usableFromInline package final let version: Version
    final let origin: Origin
    private let writtenDocument = LazyReference<Box<JSONDocument>>()

    init(version: Version, origin: Origin) {
        self.version = version
        self.origin = origin
    }

    /// The text of the file that has this value, if there is one.
    package var document: JSONDocument? { writtenDocument.load()?.value }

    /// Records that the file has this value now.
    final func markWritten(as document: JSONDocument) { _ = writtenDocument.storeIfNil(Box(document)) }

    /// The JSON tree that the file has, or will have once this version is saved.
    ///
    /// - Throws: The encoding error, if the value cannot be encoded as JSON.
    package func tree() throws(JSONCodingError) -> JSON { preconditionFailure("every snapshot has a tree") }

    /// The tree of the file; if the value cannot be encoded, that of the last version that could.
    package var json: JSON { (try? tree()) ?? .null }
}

/// One immutable version of a session's value: the object that readers access.
@usableFromInline
final class SnapshotStorage<Root: Codable & Sendable>: AnySnapshotStorage, @unchecked Sendable {
    @usableFromInline let root: Root
    let source: SnapshotSource
    private let cachedContent = LazyReference<Box<SnapshotContent>>()

    init(_ root: Root, version: Version, origin: Origin, source: SnapshotSource) {
        self.root = root
        self.source = source
        super.init(version: version, origin: origin)
    }

    override package var document: JSONDocument? {
        switch source {
        case .text(let document): document
        case .decoded(let other): other.document
        case .tree, .value, .nothing, .update: super.document
        }
    }

    override package var json: JSON {
        if let tree = try? tree() { return tree }
        if case .update(let baseline) = source { return baseline.tree }
        return .null
    }

    override package func tree() throws(JSONCodingError) -> JSON {
        // A save can have merged more into the file than this version has.
        if let document { return document.value }
        if case .nothing = source { return .object([:]) }
        if let json = root as? JSON { return json }
        switch source {
        case .tree(let tree): return tree
        case .decoded(let other): return try other.tree()
        case .nothing, .text, .value, .update: break
        }
        switch computedContent() {
        case .encoded(let tree, _): return tree
        case .unwritable(let error): throw error
        }
    }

    /// The value that the next change begins with: of a tree, the one that shares its unchanged parts with the file's,
    /// so that comparing the next version with the file costs what changed.
    var changeable: Root { Root.self == JSON.self ? changeableTree : root }

    /// Apart from `changeable`, which other types of roots use too: a function that has an optional of a generic type looks
    /// up its type each time.
    @inline(never)
    private var changeableTree: Root {
        if let document, let tree = document.value as? Root { tree } else { root }
    }

    /// Creates the version that follows this one, with a value that was changed. Here and not inlined, because only a method
    /// of the same class knows its type without looking it up.
    ///
    /// - Parameter hasFile: Whether there is a file, which the new version will be saved in.
    @inline(never)
    func next(_ root: Root, version: Version, origin: Origin, _ coder: RootCoder, hasFile: Bool) -> SnapshotStorage {
        let source: SnapshotSource = hasFile ? .update(of: baseline(with: coder)) : .value(coder)
        return SnapshotStorage(root, version: version, origin: origin, source: source)
    }

    /// The baseline of the next update. Once the tree of this version is known, it does not refer to earlier versions.
    func baseline(with coder: RootCoder) -> AnyUpdateBaseline {
        guard case .update(let baseline) = source else { return UpdateBaseline(self, coder) }
        guard case .encoded(let tree, let encoded)? = cachedContent.load()?.value else { return baseline }
        return baseline.next(tree: document?.value ?? tree, encoded: encoded, coder)
    }

    private func computedContent() -> SnapshotContent {
        if let cachedContent = cachedContent.load() { return cachedContent.value }
        return cachedContent.storeIfNil(Box(computeContent())).value
    }

    private func computeContent() -> SnapshotContent {
        do throws(JSONCodingError) {
            switch source {
            case .value(let coder):
                let encoded = try coder.encode(root)
                return .encoded(tree: encoded, encoded: encoded)
            case .update(let baseline):
                let (tree, encoded) = try (baseline as! UpdateBaseline<Root>).changed(to: root)
                return .encoded(tree: tree, encoded: encoded)
            case .text, .tree, .nothing, .decoded: preconditionFailure("the tree of this source is known")
            }
        } catch {
            return .unwritable(error)
        }
    }
}

/// What the JSON tree of a snapshot is derived from.
enum SnapshotSource: Sendable {
    /// The text of a file.
    case text(JSONDocument)
    /// The tree that the value was decoded from.
    case tree(JSON)
    /// The value itself, encoded on demand, because there is no file.
    case value(RootCoder)
    /// The empty tree, because there is no file yet.
    case nothing
    /// A baseline, whose value the program changed.
    case update(of: AnyUpdateBaseline)
    /// The same version of another type.
    case decoded(AnySnapshotStorage)
}

/// The tree of the file, and the encoded value, which includes what the file leaves out.
private enum SnapshotContent {
    case encoded(tree: JSON, encoded: JSON)
    case unwritable(JSONCodingError)
}

/// A reference to a shared value.
final class Box<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

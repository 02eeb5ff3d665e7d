internal import Locking
internal import LosslessJSON

/// One version of a value of some type: what is to be known of it where the type does not matter.
///
/// Whatever happens between a file and the readers handles these, so that it is not generic: generic code that is not
/// specialised looks up types while it runs, and takes several times as long.
@usableFromInline
class AnyEdition: @unchecked Sendable {
    // Never changes, but for what is worked out when somebody asks.
    final let version: Version
    final let origin: Origin
    private let written = LazyReference<Box<JSONDocument>>()

    fileprivate init(version: Version, origin: Origin) {
        self.version = version
        self.origin = origin
    }

    /// The text of the file that says this, if there is one.
    var document: JSONDocument? { written.load()?.value }

    /// The file says this by now.
    final func wasWritten(as document: JSONDocument) { _ = written.storeIfNil(Box(document)) }

    /// The values that the file has, or is to have.
    ///
    /// - Throws: What has no form in JSON.
    func tree() throws(JSONCodingError) -> JSON { preconditionFailure("every edition has a tree") }
}

/// One version of the value, whole and unchanging: what readers read while they read it.
@usableFromInline
final class Edition<Root: Codable & Sendable>: AnyEdition, @unchecked Sendable {
    @usableFromInline let root: Root
    private let source: Source
    private let content = LazyReference<Box<Content>>()

    /// Where the tree of values comes from.
    enum Source: Sendable {
        /// From the text of a file.
        case text(JSONDocument)
        /// From a tree, which the value was made of.
        case tree(JSON)
        /// There is no file, so from the value itself, when somebody asks.
        case value(Coding)
        /// There is no file yet, so nothing is in it.
        case nothing
        /// The program changed the value that belongs to a basis.
        case update(of: Basis<Root>)
    }

    /// What the file has or is to have, and the value in JSON with all that the file leaves out.
    private enum Content {
        case written(tree: JSON, encoded: JSON)
        case unwritable(JSONCodingError)
    }

    init(_ root: Root, version: Version, origin: Origin, source: Source) {
        self.root = root
        self.source = source
        super.init(version: version, origin: origin)
    }

    override var document: JSONDocument? {
        if case .text(let document) = source { document } else { super.document }
    }

    /// The values of the file; where the value has no form in JSON, those of the last version that had one.
    var json: JSON {
        if let tree = try? tree() { return tree }
        if case .update(let basis) = source { return basis.tree }
        return .null
    }

    override func tree() throws(JSONCodingError) -> JSON {
        if case .nothing = source, document == nil { return .object([:]) }
        if let json = root as? JSON { return json }
        // The file can have got more than what was changed.
        if let document { return document.value }
        switch source {
        case .tree(let tree): return tree
        case .nothing, .text, .value, .update: break
        }
        switch worked() {
        case .written(let tree, _): return tree
        case .unwritable(let error): throw error
        }
    }

    /// What the next update begins with. Once the tree of this one is known, nothing of what it came from is kept.
    func basis(with coding: Coding) -> Basis<Root> {
        guard case .update(let basis) = source else { return Basis(self, coding) }
        guard case .written(let tree, let encoded)? = content.load()?.value else { return basis }
        return Basis(tree: document?.value ?? tree, encoded: encoded, coding)
    }

    private func worked() -> Content {
        if let content = content.load() { return content.value }
        return content.storeIfNil(Box(work())).value
    }

    private func work() -> Content {
        do throws(JSONCodingError) {
            switch source {
            case .value(let coding):
                let encoded = try coding.encode(root)
                return .written(tree: encoded, encoded: encoded)
            case .update(let basis):
                let encoded = try basis.coding.encode(root)
                return .written(tree: try basis.tree(with: encoded), encoded: encoded)
            case .text, .tree, .nothing: preconditionFailure("its tree is known")
            }
        } catch {
            return .unwritable(error)
        }
    }
}

/// A value to be shared.
private final class Box<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

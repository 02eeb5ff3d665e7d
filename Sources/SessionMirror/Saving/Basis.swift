internal import Locking
internal import LosslessJSON

/// What updates begin with: the tree of a file, and the value that belongs to it.
///
/// What an update changes is the difference of two values, never that of the file and a value: so the file is not filled
/// with defaults, and keys that the type does not know stay.
final class Basis<Root: Codable & Sendable>: Sendable {
    let tree: JSON
    let coding: Coding
    private let root: Root?
    private let known = LazyReference<Known>()

    /// An edition whose tree was there before its value.
    init(_ edition: Edition<Root>, _ coding: Coding) {
        tree = edition.json
        root = edition.root
        self.coding = coding
    }

    /// A tree that was worked out, with the value in JSON.
    init(tree: JSON, encoded: JSON, _ coding: Coding) {
        self.tree = tree
        self.coding = coding
        root = nil
        _ = known.storeIfNil(Known(encoded))
    }

    private final class Known: Sendable {
        let encoded: JSON

        init(_ encoded: JSON) { self.encoded = encoded }
    }

    private func encoded() throws(JSONCodingError) -> JSON {
        if let known = known.load() { return known.encoded }
        guard let root else { preconditionFailure("a basis has a value") }
        return known.storeIfNil(Known(try coding.encode(root))).encoded
    }

    /// The tree with what makes `after` of the value.
    func tree(with after: JSON) throws(JSONCodingError) -> JSON {
        var change = TreeChange()
        let before = try encoded()
        let changed = change.making(after, of: before, in: tree) ?? .object([:])
        if change.begun.isEmpty { return changed }
        return completed(changed, with: after, where: change.begun)
    }

    /// A dictionary that the file left out is there as a whole by default; once it is begun, only what it holds counts.
    /// So where reading gives another value than was meant, what was begun is written as a whole.
    private func completed(_ tree: JSON, with after: JSON, where begun: [JSONPointer]) -> JSON {
        var read: JSON?
        if let root = try? coding.decode(Root.self, from: tree) { read = try? coding.encode(root) }
        var result = tree
        for place in begun where read == nil || read?[at: place] != after[at: place] {
            guard let whole = after[at: place] else { continue }
            result = (try? result.setting(place, to: whole)) ?? result
        }
        return result
    }
}

internal import LosslessJSON

/// The paths that belong to one machine.
struct LocalPaths: Sendable {
    let paths: [JSONPointer]

    /// Returns a tree with the local values of another one. A value in the place of an object that has one is replaced.
    func replacing(in tree: JSON, by own: JSON) -> JSON {
        paths.reduce(tree) { tree, path in
            let value = own[at: path]
            if tree[at: path] == value { return tree }
            guard let value else { return (try? tree.removing(path)) ?? tree }
            if let tree = try? tree.setting(path, to: value) { return tree }
            let obstacle = path.tokens.indices.lazy.map { JSONPointer(Array(path.tokens[..<$0])) }
                .first { tree[at: $0].map { $0.object == nil && $0.array == nil } ?? false }
            guard let obstacle, let cleared = try? tree.setting(obstacle, to: .object([:])) else { return tree }
            return (try? cleared.setting(path, to: value)) ?? tree
        }
    }

    /// Returns a text without local values.
    func removed(from document: JSONDocument) -> JSONDocument {
        paths.reduce(document) { document, path in
            document.value[at: path] == nil ? document : (try? document.removing(path)) ?? document
        }
    }
}

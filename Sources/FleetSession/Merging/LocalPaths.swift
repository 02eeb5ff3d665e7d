internal import LosslessJSON

/// The paths that belong to one machine.
struct LocalPaths: Sendable {
    let paths: [JSONPointer]

    /// Returns a tree with the local values of another one.
    func replacing(in tree: JSON, by own: JSON) -> JSON {
        paths.reduce(tree) { tree, path in
            let value = own[at: path]
            if tree[at: path] == value { return tree }
            guard let value else { return (try? tree.removing(path)) ?? tree }
            return (try? tree.setting(path, to: value)) ?? tree
        }
    }

    /// Returns a text without local values.
    func removed(from document: JSONDocument) -> JSONDocument {
        paths.reduce(document) { document, path in
            document.value[at: path] == nil ? document : (try? document.removing(path)) ?? document
        }
    }
}

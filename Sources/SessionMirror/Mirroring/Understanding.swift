internal import LosslessJSON

/// Makes values of what files say.
protocol Understanding: Sendable {
    /// The version that a document describes, or what is wrong with it, as the problem of a file.
    func edition(
        of document: JSONDocument, in file: String, version: Version, origin: Origin
    ) throws(Problem) -> AnyEdition

    /// The version that a tree describes which is no file's.
    func edition(of tree: JSON, in file: String, version: Version, origin: Origin) throws(Problem) -> AnyEdition

    /// The value of an edition with all that its file leaves out.
    func whole(_ edition: AnyEdition) throws(JSONCodingError) -> JSON
}

/// Decodes a value and has it checked.
struct CheckedDecoding<Root: Codable & Sendable>: Understanding {
    /// Says what is wrong with a value, by throwing it.
    typealias Check = @Sendable (Root) throws -> Void

    let coding: Coding
    let check: Check?

    func edition(
        of document: JSONDocument, in file: String, version: Version, origin: Origin
    ) throws(Problem) -> AnyEdition {
        let root: Root
        do throws(JSONCodingError) {
            root = try decoded(document.value)
        } catch {
            throw Problem(.value, file, at: error.path, document.locating(error))
        }
        do { try check?(root) } catch { throw Problem(refusal: error, of: document, in: file) }
        return Edition(root, version: version, origin: origin, source: .text(document))
    }

    func edition(of tree: JSON, in file: String, version: Version, origin: Origin) throws(Problem) -> AnyEdition {
        let root: Root
        do throws(JSONCodingError) { root = try decoded(tree) } catch {
            throw Problem(.value, file, at: error.path, error)
        }
        do { try check?(root) } catch { throw Problem(refusal: error, of: nil, in: file) }
        return Edition(root, version: version, origin: origin, source: .tree(tree))
    }

    func whole(_ edition: AnyEdition) throws(JSONCodingError) -> JSON {
        try coding.encode(unsafeDowncast(edition, to: Edition<Root>.self).root)
    }

    private func decoded(_ tree: JSON) throws(JSONCodingError) -> Root {
        if let json = tree as? Root { return json }
        return try coding.decode(Root.self, from: tree)
    }
}

extension Problem {
    /// Somebody's own check threw this.
    init(refusal error: any Error, of document: JSONDocument?, in file: String) {
        guard let refusal = error as? Refusal else {
            self.init(.value, file, "\(error)")
            return
        }
        let location = document?.nearestLocation(of: refusal.path)
        self.init(
            code: .value, file: file, path: refusal.path, message: refusal.description, location: location,
            excerpt: location.flatMap { document?.excerpt(at: $0.offset) })
    }
}

internal import LosslessJSON

/// Makes values of documents.
protocol Understanding: Sendable {
    /// What the document says, or what is wrong with it, as the problem of a file.
    func draft(of document: JSONDocument, in file: String) throws(Problem) -> Draft
}

/// Decodes a value and has it checked.
struct CheckedDecoding<Root: Codable & Sendable>: Understanding {
    /// Says what is wrong with a value, by throwing it.
    typealias Check = @Sendable (Root) throws -> Void

    let decoder: JSONValueDecoder
    let defaults: JSON
    let check: Check?

    func draft(of document: JSONDocument, in file: String) throws(Problem) -> Draft {
        let root = try decoded(document, in: file)
        do { try check?(root) } catch { throw Problem(refusal: error, of: document, in: file) }
        return { version, origin in Edition(root, version: version, origin: origin, source: .text(document)) }
    }

    private func decoded(_ document: JSONDocument, in file: String) throws(Problem) -> Root {
        if let json = document.value as? Root { return json }
        do throws(JSONCodingError) {
            return try document.decode(Root.self, with: decoder, defaults: defaults)
        } catch {
            throw Problem(.value, file, at: error.path, error)
        }
    }
}

extension Problem {
    /// Somebody's own check threw this.
    fileprivate init(refusal error: any Error, of document: JSONDocument, in file: String) {
        guard let refusal = error as? Refusal else {
            self.init(.value, file, "\(error)")
            return
        }
        let location = document.nearestLocation(of: refusal.path)
        self.init(
            code: .value, file: file, path: refusal.path, message: refusal.description, location: location,
            excerpt: document.excerpt(at: location.offset))
    }
}

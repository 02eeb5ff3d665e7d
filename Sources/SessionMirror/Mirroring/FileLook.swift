internal import DurableFiles
internal import LosslessJSON

/// Looks at the file: reads it, parses it, decodes it and has it checked. Runs on whatever thread asks, without a lock.
struct FileLook<Root: Codable & Sendable>: Sendable {
    /// Says what is wrong with a value, by throwing it.
    typealias Check = @Sendable (Root) throws -> Void

    /// The path as the program gave it, for people.
    let path: String
    let file: DurableFile
    let parsing: JSONDocument.Options
    let decoder: JSONValueDecoder
    let defaults: JSON
    let check: Check?

    /// What the file says now, compared with the last good text.
    func look(since base: JSONDocument?) -> Sight<Root> {
        let contents: FileContents
        do throws(FileError) {
            contents = try file.read(limit: parsing.sizeLimit)
        } catch {
            return unreadable(error)
        }
        guard contents.isStable else {
            return .refused(Problem(.restless, path, "it changes whenever it is read"), .unfinished)
        }
        if let base, base.holds(contents.bytes) { return .same }
        return understood(contents.bytes, since: base)
    }

    private func understood(_ bytes: [UInt8], since base: JSONDocument?) -> Sight<Root> {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document =
                if let base { try base.reparsed(bytes) } else { try JSONDocument(parsing: bytes, options: parsing) }
        } catch {
            return .refused(Problem(.syntax, path, error), .unfinished)
        }
        do throws(Problem) {
            let root = try decoded(document)
            return .good(document, root, isChanged: base.map { document.value != $0.value } ?? true)
        } catch {
            return .refused(error, .final)
        }
    }

    private func decoded(_ document: JSONDocument) throws(Problem) -> Root {
        let root: Root
        do throws(JSONCodingError) {
            root =
                if let json = document.value as? Root { json } else {
                    try document.decode(Root.self, with: decoder, defaults: defaults)
                }
        } catch {
            throw Problem(.value, path, at: error.path, error)
        }
        do {
            try check?(root)
            return root
        } catch {
            throw refused(error, in: document)
        }
    }

    private func refused(_ error: any Error, in document: JSONDocument) -> Problem {
        guard let refusal = error as? Refusal else { return Problem(.value, path, "\(error)") }
        let location = document.nearestLocation(of: refusal.path)
        return Problem(
            code: .value, file: path, path: refusal.path, message: refusal.description, location: location,
            excerpt: document.excerpt(at: location.offset))
    }

    private func unreadable(_ error: FileError) -> Sight<Root> {
        let advice = error.advice.map { "; \($0)" } ?? ""
        func refused(_ code: Problem.Code, _ outlook: Sight<Root>.Outlook = .unfinished) -> Sight<Root> {
            .refused(Problem(code, path, error.reason + advice), outlook)
        }
        return switch error.code {
        case .missing: .missing
        case .directory, .notRegular: refused(.notAFile)
        case .tooLarge: refused(.tooLarge)
        case .busy, .system: refused(.unreadable, .passing)
        default: refused(.unreadable)
        }
    }
}

extension JSONDocument {
    fileprivate func holds(_ bytes: [UInt8]) -> Bool { withBytes { $0.elementsEqual(bytes) } }
}

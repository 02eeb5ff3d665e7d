internal import DurableFiles
internal import LosslessJSON

/// Looks at the file: reads it, parses it, and has it understood. Runs on whatever thread asks, without a lock.
struct FileLook: Sendable {
    /// The path as the program gave it, for people.
    let path: String
    let file: DurableFile
    let parsing: JSONDocument.Options
    let understanding: any Understanding

    /// What the file says now, compared with the last good text.
    func look(since base: JSONDocument?) -> Sight {
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

    private func understood(_ bytes: [UInt8], since base: JSONDocument?) -> Sight {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document =
                if let base { try base.reparsed(bytes) } else { try JSONDocument(parsing: bytes, options: parsing) }
        } catch {
            return .refused(Problem(.syntax, path, error), .unfinished)
        }
        do throws(Problem) {
            let draft = try understanding.draft(of: document, in: path)
            return .good(document, draft, isChanged: base.map { document.value != $0.value } ?? true)
        } catch {
            return .refused(error, .final)
        }
    }

    private func unreadable(_ error: FileError) -> Sight {
        let advice = error.advice.map { "; \($0)" } ?? ""
        func refused(_ code: Problem.Code, _ outlook: Sight.Outlook = .unfinished) -> Sight {
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

internal import DurableFiles
internal import Locking
internal import LosslessJSON

/// Looks at the file: reads it, parses it, and has it understood. Runs on whatever thread asks, without a lock.
struct FileLook: Sendable {
    let file: DurableFile
    let parsing: JSONDocument.Options
    let meeting: Meeting

    /// The path as the program gave it, for people.
    var path: String { meeting.file }

    /// What the file says now, compared with the last good text and put together with what is in memory.
    func look(from standing: Standing) -> Sight {
        let contents: FileContents
        let note = standing.own.isEmpty ? nil : SideNote(Intentions.note)
        do throws(FileError) {
            contents = try file.read(limit: parsing.sizeLimit, noting: note)
        } catch {
            return unreadable(error)
        }
        guard contents.isStable else {
            return .refused(Problem(.restless, path, "it changes whenever it is read"), .unfinished)
        }
        if let document = standing.document, document.holds(contents.bytes) {
            return standing.isJudged ? .same : met(standing, document, Intentions())
        }
        do throws(JSONSyntaxError) {
            let intentions = Intentions(note?.found, with: contents.bytes)
            return met(standing, try standing.document(of: contents.bytes, parsing), intentions)
        } catch {
            return .refused(Problem(.syntax, path, error), .unfinished)
        }
    }

    private func met(_ standing: Standing, _ document: JSONDocument, _ intentions: Intentions) -> Sight {
        do throws(Meeting.Refusal) {
            return .good(try meeting.outcome(standing, document, intentions, at: .now))
        } catch {
            switch error {
            case .refused(let problem): return .refused(problem, .final)
            case .held(let problem): return .held(problem)
            }
        }
    }

    private func unreadable(_ error: FileError) -> Sight {
        func refused(_ code: Problem.Code, _ outlook: Sight.Outlook = .unfinished) -> Sight {
            .refused(Problem(unreadable: error, code, in: path), outlook)
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
    func holds(_ bytes: [UInt8]) -> Bool { withBytes { $0.elementsEqual(bytes) } }
}

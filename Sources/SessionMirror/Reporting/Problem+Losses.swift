internal import DurableFiles
internal import LosslessJSON

extension Problem {
    /// One value took the place of another.
    init(_ code: Code, _ values: JSONConflict, in file: String) {
        let place = values.path.isRoot ? "the value" : "\"\(values.path.dotted)\""
        let (ours, theirs) = (values.ours.words, values.theirs.words)
        let message =
            switch code {
            case .restored: "\(place) is \(ours) again: another program had written back \(theirs), which was older"
            case .reverted: "\(place) is \(theirs) again, which this program had replaced by \(ours)"
            default: "\(place) became \(ours) in this program and \(theirs) in the file"
            }
        self.init(
            code: code, file: file, path: values.path, message: message, values: values)
    }

    /// Both sides changed a value, and `merged` has one of them.
    init(conflict: JSONConflict, in file: String, _ merged: JSON, because problem: Problem? = nil) {
        let plain = Problem(.conflict, conflict, in: file)
        let kept = merged[at: conflict.path]
        let verdict =
            if let problem {
                "both together cannot be used (\(problem.message))"
            } else if kept == conflict.theirs {
                "the file's counts"
            } else if kept == conflict.ours {
                "this program's counts"
            } else {
                "it is \(kept.words) now"
            }
        self.init(
            code: .conflict, file: file, path: conflict.path, message: "\(plain.message): \(verdict)", values: conflict)
    }

    /// The system does not let the file be written.
    init(unsaved error: FileError, in file: String) {
        self.init(code: .unsaved, file: file, message: "not saved: \(error.reasonAndAdvice)", cause: error)
    }

    /// The bytes are in the file, and the system refused something after that.
    init(doubtful error: FileError, in file: String) {
        self.init(
            code: .unsaved, file: file, message: "in the file, but not safe yet: \(error.reasonAndAdvice)", cause: error
        )
    }

    /// The system does not let the file be read.
    init(unreadable error: FileError, _ code: Code, in file: String) {
        self.init(code: code, file: file, message: error.reasonAndAdvice, cause: error)
    }

    /// What another program wrote is no JSON, and nobody but a person can tell what of it is wanted.
    init(unreadable edit: DisplacedEdit, beside file: String) {
        let place = edit.path.map { "; it is \($0): put it right, or remove it" } ?? ""
        self.init(.stranded, file, "another program wrote meanwhile what is no JSON\(place)")
    }
}

extension FileError {
    fileprivate var reasonAndAdvice: String { advice.map { "\(reason); \($0)" } ?? reason }
}

extension JSON? {
    /// The value in a few words.
    fileprivate var words: String {
        guard let self else { return "nothing" }
        let text = self.description.unicodeScalars
        return text.count <= 60 ? String(text) : String(text.prefix(59)) + "…"
    }
}

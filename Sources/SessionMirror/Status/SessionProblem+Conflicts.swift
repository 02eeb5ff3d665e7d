internal import DurableFiles
package import LosslessJSON

extension SessionProblem {
    /// One value replaced another.
    package init(_ code: Code, in file: String, hiding secrets: JSONSecrets = []) {
        guard let values = code.values else { preconditionFailure("only these problems have values") }
        let name = values.path.subject
        let ours = secrets.summary(of: values.ours, at: values.path)
        let theirs = secrets.summary(of: values.theirs, at: values.path)
        let message =
            switch code {
            case .restored:
                "\(name) was restored to \(ours): another program had written back the older value \(theirs)"
            case .reverted: "\(name) was changed back to \(theirs), which this program had replaced with \(ours)"
            default: "\(name) was changed to \(ours) by this program and to \(theirs) in the file"
            }
        self.init(code, in: file, at: values.path, message)
    }

    /// Both sides changed a value, and `kept` is the outcome; or the merged value is invalid because of a problem.
    init(
        conflict: JSONConflict, in file: String, kept: JSON? = nil, because problem: SessionProblem? = nil,
        hiding secrets: JSONSecrets = []
    ) {
        let plain = SessionProblem(.conflict(conflict), in: file, hiding: secrets)
        let decision =
            if let problem {
                "the merged value is invalid (\(problem.message))"
            } else if kept == conflict.theirs {
                "kept the file's value"
            } else if kept == conflict.ours {
                "kept this program's value"
            } else {
                "changed to \(secrets.summary(of: kept, at: conflict.path))"
            }
        self.init(.conflict(conflict), in: file, at: conflict.path, "\(plain.message): \(decision)")
    }

    /// The system does not allow the file to be written.
    init(unsaved error: FileError, in file: String) {
        self.init(.unsaved, in: file, "not saved: \(error.reasonAndAdvice)", cause: error)
    }

    /// The bytes are in the file, but the system reported an error after that.
    init(notDurable error: FileError, in file: String) {
        self.init(
            .unsaved, in: file, "written, but not durable yet: \(error.reasonAndAdvice)", cause: error)
    }

    /// The system does not allow the file to be read.
    init(unreadable error: FileError, _ code: Code, in file: String) {
        self.init(code, in: file, error.reasonAndAdvice, cause: error)
    }

    /// Another program may still write to a replaced version.
    init(stillOpen file: String) {
        self.init(
            .stillOpen, in: file,
            "another program still has the version open that was replaced two seconds ago, and anything it writes there"
                + " is lost; make it open the file again")
    }

    /// Another program wrote invalid JSON, and only a person can tell what of it is wanted.
    init(unmergeable edit: DisplacedEdit, in file: String) {
        let advice = edit.path.map { "; it was kept in \($0): fix or remove that file" } ?? ""
        self.init(.unmerged, in: file, "another program wrote invalid JSON during the save\(advice)")
    }
}

extension FileError {
    fileprivate var reasonAndAdvice: String { advice.map { "\(reason); \($0)" } ?? reason }
}

extension JSONSecrets {
    /// The value at a path, truncated.
    package func summary(of value: JSON?, at path: JSONPointer) -> String {
        value.map { redacting($0, at: path).text(upTo: 60) } ?? "nothing"
    }
}

import LosslessJSON
import VisibleText

extension Option {
    static let string = Option(name: "string", letter: "s", help: "use the value as a string, not as JSON")
}

extension Command {
    static let set = Command(
        name: "set",
        summary: "set the value at a path, and preserve all other bytes",
        explanation: """
            Sets the value at PATH to JSON. Creates missing intermediate objects. Appends to
            an array if the index is the number of elements, or - in the form of RFC 6901.
            All other bytes of the file are preserved: comments, layout, order, spelling. A
            value that already equals JSON keeps its spelling (1.0 equals 1). A missing file
            is created with the permissions that the umask leaves of 0666, and one with
            comments only gets an object after them; a file that is not valid JSON is not
            changed. The file - is standard input; the edited text
            then goes to standard output.
            """,
        options: [.string, .redact],
        operands: [Operand(name: "FILE"), Operand(name: "PATH"), Operand(name: "JSON")],
        run: set)

    private static func set(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let path = try JSONPointer(operand: arguments.operands[1])
        let value = try value(arguments.operands[2], isString: arguments.has(.string))
        let edit = try CommittedEdit(arguments, createsFile: true)
        return try edit.apply { try $0.setting(path, to: value) } == nil ? .negative : .success
    }

    private static func value(_ text: String, isString: Bool) throws(Failure) -> JSON {
        isString ? JSON(text) : try JSON(operand: text, advice: "use --string for a string")
    }
}

extension JSONEditError {
    /// Describes a missing path like `get` does.
    func failure(_ title: String, in value: JSON) -> Failure {
        .negative("\(title): \(code == .missing ? MissingPath(path, in: value).description : description)")
    }
}

extension Command {
    static let unset = Command(
        name: "unset",
        summary: "remove the value at a path, and preserve all other bytes",
        explanation: """
            Removes the member or element at PATH, with its comma and its own comments. All
            other bytes of the file are preserved. If there is no value at PATH, the exit
            status is 1. The file - is standard input; the edited text then goes to standard
            output.
            """,
        options: [.redact],
        operands: [Operand(name: "FILE"), Operand(name: "PATH")],
        run: unset)

    private static func unset(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let path = try JSONPointer(operand: arguments.operands[1])
        let edit = try CommittedEdit(arguments, createsFile: false)
        return try edit.apply { try $0.removing(path) } == nil ? .negative : .success
    }
}

import LosslessJSON

extension Option {
    static let string = Option(name: "string", letter: "s", help: "take the value as it stands for a string")
}

extension Command {
    static let set = Command(
        name: "set",
        summary: "change the value at a path, and nothing else in the file",
        explanation: """
            Puts the value JSON at PATH. Objects on the way that are missing are begun, and
            an element at the end of an array is appended (its index is the number of
            elements, or - in the form of RFC 6901). Every other byte of the file stays:
            comments, layout, order, spelling; a value that equals JSON already (1.0 and 1
            do) stays as it is spelled. A file that is missing is created, one that is no
            JSON is left alone. The file - is standard input, and the edited text then
            goes to standard output.
            """,
        options: [.string],
        operands: [Operand(name: "FILE"), Operand(name: "PATH"), Operand(name: "JSON")],
        run: set)

    private static func set(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let path = try JSONPointer(operand: arguments.operands[1])
        let value = try value(arguments.operands[2], isString: arguments.has(.string))
        let edit = CommittedEdit(arguments.operands[0], begins: true)
        return try edit.make { try $0.setting(path, to: value) } == nil ? .no : .done
    }

    private static func value(_ text: String, isString: Bool) throws(Failure) -> JSON {
        if isString { return JSON(text) }
        do throws(JSONSyntaxError) {
            return try JSON(parsing: text, dialect: .json)
        } catch {
            throw .misused(
                "\(text.shortened(to: 60)) is no JSON: \(error.message); --string takes it for a string".visible)
        }
    }
}

extension JSONEditError {
    /// In the words for paths that lead nowhere, if that is what is wrong.
    func failure(_ title: String, in value: JSON) -> Failure {
        .no("\(title): \(code == .missing ? MissingPath(path, in: value).description : description)")
    }
}

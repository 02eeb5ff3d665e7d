import LosslessJSON

extension Command {
    static let unset = Command(
        name: "unset",
        summary: "remove the value at a path, and nothing else in the file",
        explanation: """
            Removes the member or the element at PATH, with its comma and its own comments.
            Every other byte of the file stays. That there is nothing at PATH is an answer:
            exit status 1. The file - is standard input, and the edited text then goes to
            standard output.
            """,
        options: [],
        operands: [Operand(name: "FILE"), Operand(name: "PATH")],
        run: unset)

    private static func unset(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let path = try JSONPointer(operand: arguments.operands[1])
        let edit = CommittedEdit(arguments.operands[0], begins: false)
        return try edit.make { try $0.removing(path) } == nil ? .no : .done
    }
}

extension Command {
    static let edit = Command(
        name: "edit",
        summary: "open a file in your editor, and save what is JSON",
        explanation: """
            Opens a private copy of FILE in the editor that VISUAL names, or else EDITOR,
            or else vi; a FILE that is missing begins as {}. What you write is saved when
            it is JSON; otherwise it is said what is wrong, and where, and the editor can
            be opened again. A file that is no JSON can be mended like this.

            What others change in FILE meanwhile is not lost: values are merged, and your
            comments and layout stay. Where both changed the same, you are asked.

            When the editor fails, or you give up, FILE stays as it is, with exit status 1.
            What you wrote and could not be saved is kept, and it is said where.
            """,
        options: [],
        operands: [Operand(name: "FILE")],
        run: { arguments throws(Failure) in try EditRun(arguments.operands[0]).run() })
}

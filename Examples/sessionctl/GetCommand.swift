import LosslessJSON

extension Option {
    static let raw = Option(name: "raw", help: "print a string bare, without quotes and escapes")
}

extension Command {
    static let get = Command(
        name: "get",
        summary: "print the value at a path",
        explanation: """
            Prints the value at PATH as JSON, or the whole value. PATH is the dotted form,
            http.port, or the form of RFC 6901, /http/port, which also reaches keys that
            hold dots; elements of arrays are counted from 0. Comments and trailing commas
            are accepted. The file - is standard input.
            """,
        options: [.raw],
        operands: [Operand(name: "FILE"), Operand(name: "PATH", isOptional: true)],
        run: get)

    private static func get(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let file = InputFile(arguments.operands[0])
        let path = try arguments.operands.dropFirst().first.map(JSONPointer.init(operand:)) ?? JSONPointer()
        guard let value = try file.document()?.value else { return .no }
        guard let found = value[at: path] else {
            throw .no("\(file.title): \(MissingPath(path, in: value).description)")
        }
        try Output.standard.write(text(of: found, isRaw: arguments.has(.raw)))
        return .done
    }

    private static func text(of value: JSON, isRaw: Bool) -> [UInt8] {
        guard isRaw, let string = value.string else { return JSONPrinter(layout: .lines).bytes(value) }
        return string.utf8 + [UInt8(ascii: "\n")]
    }
}

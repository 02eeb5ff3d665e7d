import LosslessJSON
import VisibleText

extension Command {
    static let keys = Command(
        name: "keys",
        summary: "print the keys of an object, or the indices of an array",
        explanation: """
            Prints the keys of the object at PATH, or of the whole value, one on each line,
            in the order of the file; of an array, the indices. With --json, prints them as
            an array, because a key may contain a line end. The file - is standard input.
            """,
        options: [.jsonArray, .redact],
        operands: [Operand(name: "FILE"), Operand(name: "PATH", isOptional: true)],
        run: { arguments throws(Failure) in
            try query(arguments) { value in
                let keys: [JSON]
                switch value {
                case .object(let object): keys = object.keys.map { JSON($0) }
                case .array(let array): keys = array.indices.map { JSON($0) }
                default: return nil
                }
                let isShown = Terminal.isOutput
                if arguments.has(.jsonArray) {
                    let text = "\(JSON.array(JSONArray(keys)))\n"
                    return isShown ? text.escapingInvisible : text
                }
                return keys.map { key in
                    let text = key.string ?? key.description
                    return "\(isShown ? text.visible : text)\n"
                }.joined()
            }
        },
        examples: """
            $ sessionctl keys server.json http
            port
            host
            """)

    static let type = Command(
        name: "type",
        summary: "print the type of a value",
        explanation: """
            Prints the type of the value at PATH, or of the whole value: null, boolean,
            number, string, array or object. A redacted value is a string. The file - is
            standard input.
            """,
        options: [.redact],
        operands: [Operand(name: "FILE"), Operand(name: "PATH", isOptional: true)],
        run: { arguments throws(Failure) in
            try query(arguments) { value in
                switch value {
                case .null: "null\n"
                case .bool: "boolean\n"
                case .number: "number\n"
                case .string: "string\n"
                case .array: "array\n"
                case .object: "object\n"
                }
            }
        },
        examples: """
            $ sessionctl type server.json http.port
            number
            """)

    static let count = Command(
        name: "count",
        summary: "print the number of members or elements",
        explanation: """
            Prints the number of members of the object, or of elements of the array, at PATH
            or of the whole value. The file - is standard input.
            """,
        options: [.redact],
        operands: [Operand(name: "FILE"), Operand(name: "PATH", isOptional: true)],
        run: { arguments throws(Failure) in
            try query(arguments) { value in
                switch value {
                case .object(let object): "\(object.count)\n"
                case .array(let array): "\(array.count)\n"
                default: nil
                }
            }
        },
        examples: """
            $ sessionctl count server.json http
            2
            """)

    /// Prints what `text` returns for the value at a path. Fails if it returns nil: the value is no object or array.
    private static func query(_ arguments: Arguments, _ text: (JSON) -> String?) throws(Failure) -> ExitCode {
        try arguments.requireFileFirst()
        let file = InputFile(arguments.operands[0], hiding: try arguments.secrets)
        let path = try arguments.operands.dropFirst().first.map(JSONPointer.init(operand:)) ?? JSONPointer()
        guard let root = try file.document()?.value else { return .negative }
        guard let value = root[at: path] else {
            throw .negative("\(file.title): \(MissingPath(path, in: file.secrets.redacting(root)).description)")
        }
        guard let result = text(file.secrets.redacting(value, at: path)) else {
            throw .negative("\(file.title): \(path.subject) is \(value.kind), not an object or an array")
        }
        try Output.standard.write(result)
        return .success
    }
}

extension Option {
    static let jsonArray = Option(name: "json", help: "print a JSON array")
}

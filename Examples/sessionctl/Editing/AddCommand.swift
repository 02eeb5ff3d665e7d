import LosslessJSON
import VisibleText

extension Command {
    static let add = Command(
        name: "add",
        summary: "add to the number at a path, and print the sum",
        explanation: """
            Adds NUMBER, which may be negative, to the number at PATH and prints the sum.
            The operation is atomic among all processes that use this library. A missing
            value counts as 0. A missing file is created with the permissions that the umask
            leaves of 0666, and with --create also its missing directories. The sum is exact
            for numbers of up to 10,000 digits. All other bytes of the file are preserved.
            The file - is standard input; the edited text then goes to standard output, and
            the sum is not printed.
            """,
        options: [.create, .redact],
        operands: [Operand(name: "FILE"), Operand(name: "PATH"), Operand(name: "NUMBER")],
        run: add,
        examples: """
            $ sessionctl add server.json hits 1
            1
            $ sessionctl add server.json hits 41
            42
            $ sessionctl add server.json http.port -80
            8000
            """)

    private static func add(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let (name, text) = (arguments.operands[0], arguments.operands[2])
        let path = try JSONPointer(operand: arguments.operands[1])
        guard let number = JSONNumber(spelling: text) else {
            try arguments.requireFileFirst()
            throw .usageError("\(text.visible(upTo: 60)) is not a number\(reason(for: text))")
        }
        let edit = try CommittedEdit(arguments, createsFile: true)
        let (title, secrets) = (edit.file.title, edit.file.secrets)
        let changed = try edit.apply { json in
            try path.requireNoSubscripts(in: json, title, hiding: secrets)
            return try json.setting(path, to: .number(try sum(json[at: path], number, "\(title): \(path.inMessage)")))
        }
        guard let changed else { return .negative }
        let result = secrets.redacting(changed[at: path] ?? .null, at: path)
        if name != "-" { try Output.standard.write("\(result)\n") }
        return .success
    }

    /// What is wrong with a number that has another spelling than in JSON, `+1` or `.5`; empty for other texts.
    private static func reason(for text: String) -> String {
        guard let first = text.first, "+-.".contains(first) else { return "" }
        do throws(JSONSyntaxError) {
            _ = try JSON(parsing: text, dialect: .json)
            return ""
        } catch {
            return ": \(error.message)"
        }
    }

    /// - Parameter subject: The value in messages.
    private static func sum(_ value: JSON?, _ number: JSONNumber, _ subject: String) throws(Failure) -> JSONNumber {
        let there = value ?? 0
        guard let addend = there.number else {
            throw .negative("\(subject) is \(there.kind), not a number")
        }
        guard let sum = DecimalSum(addend.spelling, number.spelling) else {
            throw .negative(
                "\(subject): its sum with \(number.spelling.visible(upTo: 60)) has too many digits to be exact")
        }
        return sum.number
    }
}

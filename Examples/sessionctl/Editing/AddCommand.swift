import LosslessJSON

extension Command {
    static let add = Command(
        name: "add",
        summary: "add to the number at a path, and print the sum",
        explanation: """
            Adds NUMBER, which may be negative, to the number at PATH and prints the sum. It
            is one step among all who use this library: two that count at the same time
            count to two. Where there is nothing at PATH, 0 is taken to be there; a file
            that is missing is created. The sum is exact, however long the numbers are.
            Every other byte of the file stays. The file - is standard input; the edited
            text then goes to standard output, and the sum is not printed.
            """,
        options: [],
        operands: [Operand(name: "FILE"), Operand(name: "PATH"), Operand(name: "NUMBER")],
        run: add)

    private static func add(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let (name, text) = (arguments.operands[0], arguments.operands[2])
        let path = try JSONPointer(operand: arguments.operands[1])
        guard let number = JSONNumber(spelling: text) else {
            throw .misused("\(text.shortened(to: 60).visible) is no number")
        }
        let edit = CommittedEdit(name, begins: true)
        let changed = try edit.make { json in
            try json.setting(path, to: .number(try sum(json[at: path], number, path)))
        }
        guard let changed else { return .no }
        if name != "-" { try Output.standard.write("\(changed[at: path] ?? .null)\n") }
        return .done
    }

    private static func sum(_ value: JSON?, _ number: JSONNumber, _ path: JSONPointer) throws(Failure) -> JSONNumber {
        let there = value ?? 0
        guard let addend = there.number else {
            throw .no("\(path.dotted.visible) is \(there.kind), not a number")
        }
        guard let sum = DecimalSum(addend.spelling, number.spelling) else {
            throw .no("\(path.dotted.visible) is too far from \(number.spelling.shortened(to: 60)) to be added exactly")
        }
        return sum.number
    }
}

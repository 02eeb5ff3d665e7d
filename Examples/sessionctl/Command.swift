/// A command of the program.
///
/// To add one, describe it in a file of its own, as an extension of this type, and name it in ``all``.
struct Command: Sendable {
    static let all = [check, get, set, unset, add, edit, diff, merge, format, watch]

    let name: String
    /// What it does, in half a line.
    let summary: String
    /// What it does, in a few lines of at most 80 columns.
    let explanation: String
    let options: [Option]
    let operands: [Operand]
    let run: @Sendable (Arguments) throws(Failure) -> ExitCode

    struct Operand: Sendable {
        let name: String
        var isOptional = false
        /// Only the last one can be.
        var isRepeated = false

        var usage: String {
            let name = isRepeated ? "\(name)…" : name
            return isOptional ? "[\(name)]" : name
        }
    }

    /// The options and operands, as they follow the name; many options not one by one.
    var usage: String {
        let options = options.count > 2 ? ["[OPTION…]"] : options.map(\.usage)
        return (options + operands.map(\.usage)).joined(separator: " ")
    }

    func checkOperands(_ given: [String]) throws(Failure) {
        if given.count < operands.count, !operands[given.count].isOptional {
            throw .misused("\(operands[given.count].name) is missing")
        }
        if given.count > operands.count, operands.last?.isRepeated != true {
            throw .misused("unexpected argument \(given[operands.count].shortened(to: 60).visible)")
        }
    }
}

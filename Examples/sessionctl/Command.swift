import VisibleText

/// A subcommand of the program.
///
/// To add one, define it in a new file in an extension of this type, and list it in ``all``.
struct Command: Sendable {
    static let all = [
        check, get, keys, type, count, set, unset, add, edit, diff, merge, format, watch, bridge, fleet, folders,
        completion, manual,
    ]
    /// Those that only other programs call.
    static let unlisted = [complete]

    let name: String
    /// A phrase of half a line.
    let summary: String
    /// A few lines of at most 80 columns.
    let explanation: String
    let options: [Option]
    let operands: [Operand]
    let run: @Sendable (Arguments) throws(Failure) -> ExitCode
    /// For the manual page: commands, each after `$ `, and what they print. They are run in order in a directory with
    /// the file server.json, which EXAMPLES of sessionctl(1) shows.
    var examples = ""
    var environment: [EnvironmentVariable] = []

    struct Operand: Sendable {
        let name: String
        var isOptional = false
        /// Allowed for the last operand only, and for those that tell themselves apart.
        var isRepeated = false

        var usage: String {
            let name = isRepeated ? "\(name)…" : name
            return isOptional ? "[\(name)]" : name
        }
    }

    /// The options and operands in a usage line. More than two options are shown as `[OPTION…]`.
    var usage: String {
        let options = options.count > 2 ? ["[OPTION…]"] : options.map(\.usage)
        return (options + operands.map(\.usage)).joined(separator: " ")
    }

    func checkOperands(_ given: [String]) throws(Failure) {
        if given.count < operands.count, !operands[given.count].isOptional {
            // Of "PATH JSON|PATH=JSON", which is two operands or one, PATH is missing.
            throw .usageError("\(operands[given.count].name.prefix { $0 != " " }) is missing")
        }
        if given.count > operands.count, operands.last?.isRepeated != true {
            throw .usageError("unexpected argument \(given[operands.count].visible(upTo: 60))")
        }
    }
}

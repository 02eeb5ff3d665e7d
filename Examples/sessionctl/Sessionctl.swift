import Glibc
import LosslessJSON
import VisibleText

/// The entry point: finds the command, runs it, and reports its failure.
@main
enum Sessionctl {
    static let name = "sessionctl"
    static let version = "0.1.0"
    /// The date of the version, in the form of manual pages.
    static let date = "November 25, 2026"

    static func main() {
        StandardDescriptors.fillClosed()
        // A closed pipe is reported as EPIPE instead of terminating the program.
        signal(SIGPIPE, SIG_IGN)
        // A file size limit is reported as EFBIG, so that no partial file is left behind.
        signal(SIGXFSZ, SIG_IGN)
        exit(run(CommandLine.unsafeArgv, count: CommandLine.argc).rawValue)
    }

    private static func run(_ arguments: ArgumentVector, count: Int32) -> ExitCode {
        var command: Command?
        do throws(Failure) {
            guard let (name, index) = try findCommandName(arguments, count: count) else { return .success }
            guard let known = (Command.all + Command.unlisted).first(where: { $0.name == name }) else {
                throw name == "help" ? helpAdvice(arguments, count: count, index) : unknownCommand(name)
            }
            command = known
            guard let given = try readArguments(of: known, arguments + index, count: count - Int32(index)) else {
                return .success
            }
            return try known.run(given)
        } catch {
            return error.report(command)
        }
    }

    /// The first operand and its index; nil if an option before it, such as `--help`, was handled.
    private static func findCommandName(
        _ arguments: ArgumentVector, count: Int32
    ) throws(Failure) -> (name: String, index: Int)? {
        var scan = ArgumentScan(arguments, count: count, options: Option.common)
        switch try scan.next() {
        case .operand(let name, let index, _): return (name, index)
        case .option(.version, _): try Output.standard.write("\(name) \(version)\n")
        case .option: try Output.standard.write(Help.text(nil))
        case nil: throw .usageError("a command is missing")
        }
        return nil
    }

    /// The answer to `help`, which other tools have as a command.
    private static func helpAdvice(_ arguments: ArgumentVector, count: Int32, _ index: Int) -> Failure {
        let next = index + 1 < Int(count) ? arguments[index + 1].map { String(cString: $0) } : nil
        let described = Command.all.first { $0.name == next }.map { " \($0.name)" } ?? ""
        return .usageError("help is not a command; write \(name)\(described) --help")
    }

    private static func unknownCommand(_ name: String) -> Failure {
        let known = Command.all.map(\.name) + Option.common.map(\.name)
        let meant = NearestName(to: name).among(known, limit: 1).map { known in
            "; did you mean \(Option.common.contains { $0.name == known } ? "--" : "")\(known)?"
        }
        return .usageError("unknown command \(name.visible(upTo: 60))\(meant.first ?? "")")
    }

    /// The arguments of a command; nil if `--help` or `--version` was handled.
    private static func readArguments(
        of command: Command, _ arguments: ArgumentVector, count: Int32
    ) throws(Failure) -> Arguments? {
        var scan = ArgumentScan(arguments, count: count, options: command.options + Option.common)
        var result = Arguments()
        while let found = try scan.next() {
            switch found {
            case .option(.help, _):
                try Output.standard.write(Help.text(command))
                return nil
            case .option(.version, _):
                try Output.standard.write("\(name) \(version)\n")
                return nil
            case .option(let option, let value): result.add(option, value: value)
            case .operand(let text, _, let isAfterDashes):
                if isAfterDashes, result.firstAfterDashes == nil { result.firstAfterDashes = result.operands.count }
                result.operands.append(text)
            }
        }
        try command.checkOperands(result.operands)
        return result
    }
}

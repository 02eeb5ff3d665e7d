import Glibc

/// The program: finds the command that is asked for, runs it, and puts every failure into words.
@main
enum Sessionctl {
    static let name = "sessionctl"
    static let version = "0.1.0"

    static func main() {
        StandardDescriptors.occupy()
        // A reader that has seen enough shows as EPIPE, so that the program always ends by its own decision.
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow further shows as EFBIG, so that nothing half written stays behind.
        signal(SIGXFSZ, SIG_IGN)
        exit(run(CommandLine.unsafeArgv, count: CommandLine.argc).rawValue)
    }

    private static func run(_ arguments: ArgumentVector, count: Int32) -> ExitCode {
        var command: Command?
        do throws(Failure) {
            guard let (name, index) = try findCommandName(arguments, count: count) else { return .done }
            guard let known = Command.all.first(where: { $0.name == name }) else { throw unknownCommand(name) }
            command = known
            guard let given = try readArguments(of: known, arguments + index, count: count - Int32(index)) else {
                return .done
            }
            return try known.run(given)
        } catch {
            return error.report(command)
        }
    }

    /// The first operand and its place; nil when the options before it were all there was to do.
    private static func findCommandName(
        _ arguments: ArgumentVector, count: Int32
    ) throws(Failure) -> (name: String, index: Int)? {
        var scan = ArgumentScan(arguments, count: count, options: Option.common)
        switch try scan.next() {
        case .operand(let name, let index): return (name, index)
        case .option(.version, _): try Output.standard.write("\(name) \(version)\n")
        case .option: try Output.standard.write(Help.text(nil))
        case nil: throw .misused("a command is missing")
        }
        return nil
    }

    private static func unknownCommand(_ name: String) -> Failure {
        let known = Command.all.map(\.name) + Option.common.map(\.name)
        let meant = Nearest(to: name).among(known, limit: 1).map { known in
            "; did you mean \(Option.common.contains { $0.name == known } ? "--" : "")\(known)?"
        }
        return .misused("unknown command \(name.shortened(to: 60).visible)\(meant.first ?? "")")
    }

    /// The arguments of a command; nil when help or the version was asked for.
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
            case .operand(let text, _): result.operands.append(text)
            }
        }
        try command.checkOperands(result.operands)
        return result
    }
}

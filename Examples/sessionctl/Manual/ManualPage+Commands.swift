extension ManualPage {
    /// The page of the program, sessionctl(1).
    static var overview: ManualPage {
        ManualPage(name: Sessionctl.name, section: 1, summary: "check, read, edit, merge and watch JSON files") {
            page in
            page.macro("Sh SYNOPSIS")
            page.macro("Nm")
            page.macro("Ar COMMAND")
            page.macro("Op Ar OPTION ...")
            page.macro("Op Ar OPERAND ...")
            page.macro("Nm")
            for option in Option.common { page.macro("Op \(option.longTerm)") }
            page.macro("Sh DESCRIPTION")
            page.paragraphs(Help.purpose)
            page.paragraphs(
                "Each command has a page of its own. sessionmirror(7) describes the format of files and paths.")
            page.macro("Pp")
            page.paragraphs(Help.conventions)
            page.macro("Sh COMMANDS")
            page.list(Command.all.map { ("Xr \(Sessionctl.name)-\($0.name) 1", "\($0.summary).".capitalizingFirst) })
            page.optionList(Option.common, placeholders: [])
            page.environment(EnvironmentVariable.all)
            page.exitStatus()
            page.macro("Sh EXAMPLES")
            page.literal(Help.examples)
            page.seeAlso(
                Command.all.map { ("\(Sessionctl.name)-\($0.name)", 1) }.sorted { $0.0 < $1.0 } + [fileFormatName])
        }
    }

    /// The page of a command, such as sessionctl-get(1).
    init(_ command: Command) {
        let options = command.options + Option.common
        let placeholders = Set(
            (command.operands.map(\.name) + options.compactMap(\.value)).flatMap {
                $0.split { !$0.isLetter }.map(String.init)
            }.filter { $0.allSatisfy(\.isUppercase) && $0 != "JSON" })
        self.init(name: "\(Sessionctl.name)-\(command.name)", section: 1, summary: command.summary) { page in
            page.synopsis(of: command)
            page.macro("Sh DESCRIPTION")
            page.paragraphs(command.explanation, placeholders: placeholders)
            page.optionList(options, placeholders: placeholders)
            page.environment(command.environment)
            page.exitStatus()
            if !command.examples.isEmpty {
                page.macro("Sh EXAMPLES")
                page.literal(command.examples)
            }
            let related = ManualPage.related(to: command).map { "\(Sessionctl.name)-\($0)" }.sorted()
            page.seeAlso([(Sessionctl.name, 1)] + related.map { ($0, 1) } + [ManualPage.fileFormatName])
        }
    }

    /// The names of commands with a similar purpose.
    private static func related(to command: Command) -> [String] {
        let groups: [[Command]] = [
            [.get, .keys, .type, .count], [.set, .unset, .add, .edit], [.diff, .merge, .watch], [.check, .format],
            [.bridge, .fleet],
        ]
        let names = groups.map { $0.map(\.name) }.first { $0.contains(command.name) } ?? []
        return names.filter { $0 != command.name }
    }
}

extension Mdoc {
    fileprivate mutating func synopsis(of command: Command) {
        macro("Sh SYNOPSIS")
        macro("Nm \(Sessionctl.name)")
        macro("Cm \(command.name)")
        for option in command.options { macro("Op \(option.longTerm)") }
        for operand in command.operands {
            let macros = Command.Operand.macros(for: operand.name) + (operand.isRepeated ? " ..." : "")
            macro(operand.isOptional ? "Op \(macros)" : macros)
        }
    }
}

extension String {
    fileprivate var capitalizingFirst: String { prefix(1).uppercased() + dropFirst() }
}

import StandardFolders
import VisibleText

extension Command {
    static let folders = Command(
        name: "folders",
        summary: "print where a program keeps its files",
        explanation: """
            Prints the standard directories of PROGRAM for this user, one line each: the name,
            a space, the path. They are those of the XDG base directories, and need not
            exist. A service has those that its unit names instead (StateDirectory=).
            """,
        options: [],
        operands: [Operand(name: "PROGRAM")],
        run: folders)

    private static func folders(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let program = arguments.operands[0]
        guard Folders.isValid(program: program) else {
            throw .usageError(
                "\(program.visible(upTo: 60)) cannot be the name of a program: it is one component of a path")
        }
        let folders = Folders(of: program)
        for (name, path) in [
            ("config", folders.config.path), ("state", folders.state.path), ("data", folders.data.path),
            ("cache", folders.cache.path), ("runtime", folders.runtime.path), ("logs", folders.logs.path),
        ] {
            try Output.standard.write("\(name) \(path.visible(upTo: 8_000))\n")
        }
        return .success
    }
}

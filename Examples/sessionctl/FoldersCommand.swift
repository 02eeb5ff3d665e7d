import StandardFolders
import VisibleText

extension Command {
    static let folders = Command(
        name: "folders",
        summary: "print where a program keeps its files",
        explanation: """
            Prints the standard directories of PROGRAM for this user, one line each: the
            name, a space, the path. They are those of the XDG base directories, and need
            not exist. A service has those that its unit names instead (StateDirectory=).
            Without a home directory, those below it are not printed, and the command fails.
            """,
        options: [],
        operands: [Operand(name: "PROGRAM")],
        run: folders,
        examples: """
            $ XDG_STATE_HOME=/var/lib/ada sessionctl folders notes | grep state
            state /var/lib/ada/notes
            """,
        environment: [.home, .baseDirectories])

    private static func folders(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let program = arguments.operands[0]
        guard Folders.isValid(program: program) else {
            throw .usageError(
                "\"\(program.visible(upTo: 60))\" cannot be the name of a program: it is one component of a path")
        }
        let folders = Folders(of: program)
        let all: [(name: String, folder: any Folder)] = [
            ("config", folders.config), ("state", folders.state), ("data", folders.data), ("cache", folders.cache),
            ("runtime", folders.runtime), ("logs", folders.logs), ("documents", folders.documents),
            ("temporary", folders.temporary), ("home", folders.home),
        ]
        for (name, folder) in all where folder.location.isKnown {
            try Output.standard.write("\(name) \(folder.path.visible(upTo: 8_000))\n")
        }
        let unknown = all.filter { !$0.folder.location.isKnown }.map(\.name)
        if unknown.isEmpty { return .success }
        throw .systemError(
            "there is no home directory for \(unknown.joined(separator: ", ")): set HOME, or XDG_CONFIG_HOME and the like"
        )
    }
}

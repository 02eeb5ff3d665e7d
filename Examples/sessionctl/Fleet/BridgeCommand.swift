import Glibc
import LosslessJSON
import VisibleText

extension Option {
    static let local = Option(
        name: "local", value: "PATH", help: "neither send nor overwrite PATH; may be repeated")
    static let machine = Option(
        name: "machine", value: "NAME", help: "the name of this machine instead of its host name")
    static let conflicts = Option(name: "conflicts", value: "fleet|machine", help: "whose value wins; default: fleet")
    static let deletedKey = Option(
        name: "deleted-key", value: "keep|recreate", help: "whether FILE recreates the key; default: keep")
    static let state = Option(name: "state", value: "DIRECTORY", help: "the directory for the state of the bridge")
}

extension Command {
    static let bridge = Command(
        name: "bridge",
        summary: "keep a file in sync with those of other machines",
        explanation: """
            Keeps FILE in sync with the value of KEY in etcd, and so with the files of all
            machines that do the same, for services that only watch their file. A change of
            FILE reaches the others as soon as it is saved, and theirs are merged into FILE,
            whose comments and layout stay. A missing FILE is created from the value, and a
            missing KEY from FILE.

            Without a connection, FILE can be read and edited as before. When the connection
            is back, the changes of both sides are merged. If both have changed the same
            value, --conflicts decides, and a warning says so.

            Values at the PATHs of --local belong to this machine. If KEY is deleted, FILE
            stays; with --deleted-key=recreate the key is created from it again.

            Several bridges of a machine may run for one FILE: one is active, the others
            stand by. The last text in common is kept in the directory of --state, by
            default beside FILE, in .NAME.fleet for a FILE called NAME. The FILE of
            --credentials is read at each login.

            Runs until it is interrupted. When it is connected, disconnected or standing by,
            or KEY goes or comes, it writes a line to standard error, and so for problems,
            which look like those of "check", and for their end. With --json, they are JSON
            Lines on standard output instead, whose "event" is "connected" (with
            "revision"), "disconnected" (with "reason"), "standby", "key" (whether it
            "exists"), "problem", "recovered" or "status" (of FILE).

            It is done by the program sessionctl-fleet, which may have to be installed.
            """,
        options: [
            .etcd, .key, .local, .machine, .conflicts, .deletedKey, .credentials, .authority, .certificate,
            .certificateKey, .state, .json, .redact,
        ],
        operands: [Operand(name: "FILE")],
        run: bridge,
        examples: """
            $ sessionctl bridge --key=/shop/settings --etcd=etcd.example:2379 \\
                /no/such/directory/server.json
            sessionctl: /no/such/directory: No such file or directory
            """,
        environment: [.etcd])

    private static func bridge(_ arguments: Arguments) throws(Failure) -> ExitCode {
        var program = FleetProgram(task: "bridge")
        let file = arguments.operands[0]
        if file.isEmpty { throw .usageError("FILE is empty") }
        if file == "-" { throw .usageError("standard input (-) cannot be synchronized; a file of that name is ./-") }
        program.add("file", file)
        try program.addStore(arguments)
        for text in arguments.values(of: .local) {
            let path = try JSONPointer(operand: text)
            if path.isRoot { throw .usageError("--local: the whole value cannot be local to this machine") }
            program.add("local", path.description)
        }
        _ = try arguments.secrets
        for text in arguments.values(of: .redact) { program.add("redact", text) }
        program.add("machine", try arguments.value(ofNonempty: .machine))
        program.add("conflicts", try arguments.choice(of: .conflicts))
        program.add("deleted-key", try arguments.choice(of: .deletedKey))
        program.add("state", try arguments.value(ofNonempty: .state))
        if arguments.has(.json) { program.add("json", "yes") }
        try requireDirectory(of: file)
        throw program.run(for: bridge.name)
    }

    /// Throws if the directory of a file is missing: the bridge would wait for it, and a mistyped path has no value.
    private static func requireDirectory(of file: String) throws(Failure) {
        var directory = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
        while directory.utf8.count > 1, directory.hasSuffix("/") { directory.removeLast() }
        var status = stat()
        if stat(directory, &status) != 0 { throw .systemError(directory, errorNumber: errno) }
        if status.st_mode & S_IFMT != S_IFDIR { throw .systemError(directory, errorNumber: ENOTDIR) }
        if stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw .systemError(file, errorNumber: EISDIR)
        }
    }
}

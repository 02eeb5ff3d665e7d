import LosslessJSON
import VisibleText

extension Option {
    static let jsonObject = Option(name: "json", help: "print one JSON object")
}

extension Command {
    static let fleet = Command(
        name: "fleet",
        summary: "show the machines that share a value",
        explanation: """
            fleet status prints the machines that keep a file in sync with KEY of etcd, by
            "bridge" or in a program of their own, one line each: the name, the revision
            that the machine has, and whether that is the current one. A machine tells its
            revision from time to time, so one that is behind may have more by now; one that
            has disappeared stays on the list for a minute. The last line has the revision
            of the value, who wrote it, and its size in bytes.

            With --json, prints one object, with "key", "revision", "author", "size" and
            "machines": an array of objects with "name", "revision" and "current". Without a
            value, the revision is 0, and "author" and "size" are missing.

            The exit status is 1 if there is no value, and 3 if etcd cannot be reached.

            It is done by the program sessionctl-fleet, which may have to be installed.
            """,
        options: [.etcd, .key, .credentials, .authority, .certificate, .certificateKey, .jsonObject],
        operands: [Operand(name: "status")],
        run: fleet,
        examples: """
            $ sessionctl fleet status --key=/shop/settings --etcd=ftp://etcd \\
                2>&1 | head -n 1
            sessionctl: --etcd: "ftp://etcd" is not a URL like http://etcd:2379
            """,
        environment: [.etcd])

    private static func fleet(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let task = arguments.operands[0]
        if task != "status" {
            let meant = NearestName(to: task).among(["status"], limit: 1).first.map { "; did you mean \($0)?" } ?? ""
            throw .usageError("unknown argument \(task.visible(upTo: 60))\(meant)")
        }
        var program = FleetProgram(task: task)
        try program.addStore(arguments)
        if arguments.has(.json) { program.add("json", "yes") }
        throw program.run(for: "\(fleet.name) \(task)")
    }
}

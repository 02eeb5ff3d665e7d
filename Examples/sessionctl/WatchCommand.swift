import LosslessJSON

extension Option {
    static let json = Option(name: "json", help: "JSON Lines: one object per line")
    static let count = Option(name: "count", value: "N", help: "exit after N changes: lines, or objects with --json")
    static let timeout = Option(name: "timeout", value: "S", help: "exit with status 1 after S seconds")
    static let poll = Option(name: "poll", help: "check the files once a second instead of watching them")
    static let at = Option(name: "at", value: "PATH", help: "like the operand PATH; may be repeated")
    static let until = Option(name: "until", value: "PATH=JSON", help: "exit as soon as PATH has this value")
}

extension Command {
    static let watch = Command(
        name: "watch",
        summary: "print each change of a file as it happens",
        explanation: """
            Prints each change of FILEs as it happens: line, path, old and new value. Errors
            are printed as by "check"; when the file can be used again, a line says so. A
            FILE may be missing, replaced, deleted and created again. With PATHs, only
            changes at, below or above one of them are printed.

            The first operand is a FILE. A further one is a FILE if a file has that name, or
            if it ends in .json or .jsonc, and otherwise a PATH. Write --at=PATH for a PATH
            that could be a FILE.

            With --json, the output is JSON Lines, flushed per line. "event" is "initial"
            (always first, with the whole "value"), "change", "problem", "recovered" or
            "status". With several FILEs, "file" is the FILE as given. "at" is in
            nanoseconds since 1970. A change without "old" is an addition, one without "new"
            a removal. Versions that follow too quickly are skipped: "old" is the last
            printed value, and the newest value is always printed.

            The kernel reports changes (inotify). Where it does not, on NFS, FUSE and
            similar file systems, and with --poll, the file is checked once a second.

            On a terminal, each line begins with the time, and changes are colored as by
            "diff", unless NO_COLOR is set; long values are shortened to the width.

            Runs until it is interrupted, its output is closed, or the condition of --count,
            --timeout or --until is met, whichever is first. --count counts the changes of
            all FILEs, and --until waits for all of them. In PATH=JSON, a string needs
            quotes: --until 'name="x"'.
            """,
        options: [.json, .at, .count, .timeout, .until, .poll, .strict, .redact],
        operands: [Operand(name: "FILE"), Operand(name: "FILE|PATH", isOptional: true, isRepeated: true)],
        run: { arguments throws(Failure) in
            var watch = try Watch(WatchRequest(arguments))
            return try watch.run()
        })
}

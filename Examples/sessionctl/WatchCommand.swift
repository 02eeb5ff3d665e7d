import LosslessJSON

extension Option {
    static let json = Option(name: "json", help: "JSON Lines: one object per line")
    static let count = Option(name: "count", value: "N", help: "exit after N changes: lines, or objects with --json")
    static let timeout = Option(name: "timeout", value: "S", help: "exit with status 1 after S seconds")
    static let poll = Option(name: "poll", help: "check the files once a second instead of watching them")
    static let at = Option(name: "at", value: "PATH", help: "like the operand PATH; may be repeated")
    static let template = Option(
        name: "format", value: "TEXT", help: "print TEXT for each change, with fields such as {new}")
    static let initial = Option(name: "initial", help: "begin with the current value")
    static let noInitial = Option(name: "no-initial", help: "begin with the first change")
    static let debounce = Option(name: "debounce", value: "S", help: "wait until nothing has changed for S seconds")
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

            The first operand is a FILE, or a directory, whose files *.json and *.jsonc are
            watched, also those that appear later. A further operand is a directory if it
            ends in a slash, a FILE if a file has that name or if it ends in .json or
            .jsonc, and otherwise a PATH. Write --at=PATH for a PATH that could be a FILE.

            With --json, the output is JSON Lines, flushed per line. "event" is "initial"
            (first, with the whole "value"; not with --no-initial), "change", "problem",
            "recovered" or "status". With several FILEs, "file" is the FILE as given; "at"
            is in nanoseconds since 1970. A change without "old" is an addition, one without
            "new" a removal. Versions that follow too quickly are skipped: "old" is the last
            printed value, and the newest value is always printed.

            With --format, each change is printed as TEXT, with the fields {file}, {line},
            {path}, {pointer} (the path in the form of RFC 6901), {kind} (initial, added,
            removed or changed), {old}, {new}, {version} and {time}. A field without a value
            is empty; {{ and }} stand for braces. Other lines go to standard error.

            With --exec, the command after -- is run for each change, one at a time. A
            change during a run is followed by another run, for the newest value. The
            command has the change on standard input, as an object of --json with "file",
            and in its environment: SESSION_FILE; SESSION_PATH, the path of the change, or
            of the nearest value that contains all changes; SESSION_OLD and SESSION_NEW, the
            values there, as JSON. A variable is not set if there is no value, or if it
            would have more than 32 KiB. The lines about changes go to standard error. A run
            ends when all processes of the command's process group have ended or left it.

            With --restart, the command is started at once, and for each change stopped and
            started again: with SIGTERM and, after --grace, SIGKILL. With --signal, a change
            sends a signal: to the command of --exec, which is started if it does not run,
            or to the process whose number is in the file of --pid, such as a daemon. When
            watch ends, the command is stopped in the same way.

            The kernel reports changes (inotify). Where it does not, on NFS, FUSE and
            similar file systems, and with --poll, the file is checked once a second.

            On a terminal, each line begins with the time, and changes are colored as by
            "diff", unless NO_COLOR is set; long values are shortened to the width.

            --view shows the values of FILEs in a tree on the whole terminal, with recent
            changes highlighted, the last changes and problems. "q" quits, and "?" shows all
            keys. --count, --timeout and --until end it, too.

            Runs until it is interrupted, its output is closed, or the condition of --count,
            --timeout or --until is met, whichever is first. --count counts the changes of
            all FILEs, or the runs of the command, the last of which then ends first.
            --until waits for all FILEs. In PATH=JSON, a string needs quotes: --until
            'name="x"'. The exit status is 1 if the last run of the command failed.
            """,
        options: [
            .view, .json, .template, .raw, .at, .initial, .noInitial, .debounce, .count, .timeout, .until, .exec,
            .restart, .grace, .signal, .pid, .poll, .strict, .redact,
        ],
        operands: [
            Operand(name: "FILE"), Operand(name: "FILE|PATH", isOptional: true, isRepeated: true),
            Operand(name: "--exec -- CMD ARG", isOptional: true, isRepeated: true),
        ],
        run: { arguments throws(Failure) in
            if arguments.has(.view) { return try ViewCommand.run(arguments) }
            return try Watch.run(WatchRequest(arguments))
        },
        examples: """
            $ sessionctl watch --until http.port=8080 server.json
            server.json: watching
            $ printf '{"port": 8080}' >small.json
            $ sessionctl watch --json --until port=8080 small.json
            {"event":"initial","version":1,"value":{"port":8080}}
            $ sessionctl watch --timeout 0.5 --until http.port=9090 server.json
            server.json: watching
            sessionctl: server.json: after 0.5 s: http.port is 8080, not 9090
            $ sessionctl watch --count 1 server.json http
            server.json: watching http
            server.json:4: http.port: 8080 → 9090
            $ sessionctl watch --initial --format '{path} is {new}' \\
                --until http.port=9090 server.json http.port
            server.json: watching http.port
            http.port is 9090
            $ sessionctl watch --initial --count 1 server.json \\
                --exec -- sh -c 'echo "$SESSION_NEW"'
            server.json: watching
            {"http":{"port":9090,"host":"localhost"},"log":"info"}
            """,
        environment: [.noColor])
}

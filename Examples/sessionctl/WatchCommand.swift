import LosslessJSON

extension Option {
    static let json = Option(name: "json", help: "one JSON object a line, for programs")
    static let count = Option(name: "count", value: "N", help: "end after N changes: lines, or objects with --json")
    static let timeout = Option(name: "timeout", value: "S", help: "end after S seconds, with 1")
    static let poll = Option(name: "poll", help: "look once a second, whatever the kernel tells")
    static let until = Option(name: "until", value: "PATH=JSON", help: "end as soon as PATH has that value")
}

extension Command {
    static let watch = Command(
        name: "watch",
        summary: "show each change of a file as it happens",
        explanation: """
            Shows each change of FILE as it happens: the place, the path, the value before
            and after. What is wrong with it is shown as "check" shows it, and then when it
            is good again. FILE may be missing, be replaced, deleted and created again. With
            PATHs, only changes at, below or above one of them are shown.

            With --json each line is an object: "event" is "initial" (always the first line,
            with the whole "value"), "change", "problem", "recovered" or "status". "at" is
            in nanoseconds since 1970; a change without "old" was added, without "new"
            removed. What came too fast to be shown is left out: "old" is what was shown
            last, and the last value is always shown.

            Changes are told by the kernel where it can, and looked for once a second where
            it cannot: on NFS, FUSE and the like, which are known, and with --poll anywhere.

            It goes on until it is interrupted, nobody reads its output any more, or what
            --count, --timeout or --until say, whichever is first. In PATH=JSON, a string
            needs its quotes: --until 'name="x"'.
            """,
        options: [.json, .count, .timeout, .until, .poll, .strict],
        operands: [Operand(name: "FILE"), Operand(name: "PATH", isOptional: true, isRepeated: true)],
        run: { arguments throws(Failure) in
            var watch = try Watch(WatchRequest(arguments))
            return try watch.run()
        })
}

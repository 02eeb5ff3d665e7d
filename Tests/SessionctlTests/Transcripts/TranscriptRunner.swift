import Glibc
import TestSupport

/// Runs the commands of transcripts in one directory, in a shell each, and compares what they print.
///
/// `sessionctl` is on the path, and the user is `ada`. The directory begins with the settings that manuals show.
struct TranscriptRunner {
    static let settings = """
        {
          // where it listens
          "http": {
            "port": 8080,
            "host": "localhost"
          },
          "log": "info"
        }

        """

    /// How long a line, and the end of a command, are awaited.
    private static let limit = Duration.seconds(20)

    let folder: TemporaryFolder
    private let tools: TemporaryFolder
    /// By command.
    private let interactions: [String: Interaction]

    init(_ interactions: [String: Interaction] = [:]) throws {
        (folder, tools) = (try TemporaryFolder(), try TemporaryFolder())
        self.interactions = interactions
        try tools.link("sessionctl", to: Program.sessionctl.path)
        try folder.write("server.json", Self.settings)
    }

    /// Runs one command. Returns what differs from the transcript; nil if nothing does.
    func difference(of step: Transcript.Step) throws -> String? {
        let expected = step.output.map { $0 + "\n" }.joined()
        let interaction = interactions[step.command]
        let result = try run(step, interaction ?? Interaction())
        let shown = interaction?.withoutAnswers(expected) ?? expected
        if Self.comparable(result) == Self.comparable(shown) { return nil }
        return "\(step.line): $ \(step.command)\nshown:\n\(shown)printed:\n\(result)"
    }

    private func run(_ step: Transcript.Step, _ interaction: Interaction) throws -> String {
        try tools.write("editor", interaction.editorScript)
        defer { try? tools.remove("editor.runs") }
        let program = try start("exec 2>&1\n\(step.command)", interaction.answers)
        var lines: [String] = []
        var edits = interaction.edits[...]
        // Edits and an interrupt must follow certain lines, so these are awaited.
        while !edits.isEmpty || interaction.isInterrupted && lines.count < step.output.count {
            guard let line = try? program.line(within: Self.limit) else { break }
            lines.append(line)
            guard let edit = edits.first, line.hasPrefix(edit.after) else { continue }
            edits.removeFirst()
            let result = try shell(edit.command)
            if result.code != 0 { throw TestSupportError("\(edit.command): \(result.messages)") }
        }
        // A program that prints less than expected may run forever.
        let isStuck = !edits.isEmpty || interaction.isInterrupted && lines.count < step.output.count
        if isStuck || interaction.isInterrupted { kill(-program.identifier, SIGINT) }
        return lines.map { $0 + "\n" }.joined() + (try program.end(within: Self.limit).output)
    }

    /// Runs a script that no transcript shows.
    func shell(_ script: String) throws -> Program.Result { try start(script, []).end() }

    private func start(_ script: String, _ answers: [String]) throws -> RunningProgram {
        let settings = [
            "PATH=\(tools.path):/usr/local/bin:/usr/bin:/bin", "HOME=/home/ada", "XDG_RUNTIME_DIR=/run/user/1000",
            "LC_ALL=C.UTF-8", "EDITOR=sh \(tools.path(of: "editor"))",
        ]
        return try Program("/usr/bin/env").start(
            Program.emptyEnvironment + settings + ["/bin/sh", "-c", script], in: folder,
            input: .bytes(Array(answers.map { $0 + "\n" }.joined().utf8)))
    }

    /// The text with all times replaced by one, since they cannot be predicted.
    private static func comparable(_ text: String) -> String {
        text.replacing(/"at":[0-9]{19}\b/, with: "\"at\":0")
            .replacing(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d\b/, with: "now")
    }
}

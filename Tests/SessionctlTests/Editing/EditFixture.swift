import Glibc
import TestSupport

/// A temporary directory with a file to edit. The editor is a shell script, whose `$1` is the copy.
struct EditFixture {
    let folder: TemporaryFolder
    let settings = """
        {
          // where it listens
          "port": 8080,
          "host": "a" // for now
        }

        """

    init() throws {
        folder = try TemporaryFolder()
        try folder.createFolder("tmp")
        try folder.write("a.json", settings)
    }

    /// Writes the script. In it, `$SESSIONCTL` is the program.
    func environment(_ script: String) throws -> [String: String] {
        try folder.write("editor", script)
        return [
            "VISUAL": "", "EDITOR": "sh editor", "TMPDIR": folder.path(of: "tmp"),
            "SESSIONCTL": Program.sessionctl.path,
        ]
    }

    func edit(
        _ script: String, file: String = "a.json", check: String? = nil, answers: String = ""
    ) throws -> Program.Result {
        let environment = try environment(script)
        return try Program.sessionctl.run(
            ["edit", file] + options(check), in: folder, input: .bytes(Array(answers.utf8)), environment: environment)
    }

    /// Starts an edit that waits for answers, for its editor or for its check.
    func start(_ script: String, check: String? = nil) throws -> RunningProgram {
        try Program.sessionctl.start(
            ["edit", "a.json"] + options(check), in: folder, input: .lines, environment: environment(script))
    }

    private func options(_ check: String?) -> [String] { check.map { ["--check", $0] } ?? [] }

    func text() throws -> String { try folder.read("a.json") }

    /// The names of files left in the temporary directory, one per line.
    func leftovers() throws -> String { try folder.shell("cd tmp && find . -type f | sed 's|.*/||' | sort").output }

    func keptCopy() throws -> String { try folder.shell("cat tmp/*/a.json").output }

    /// Whether the messages end with the path of the kept copy.
    func reportsKeptCopy(_ messages: String) -> Bool {
        messages.contains("sessionctl: a.json: your text is kept in \(folder.path(of: "tmp"))/sessionctl-")
            && messages.hasSuffix("/a.json\n")
    }
}

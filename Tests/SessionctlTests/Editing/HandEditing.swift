import Glibc
import TestSupport

/// A folder with a file that somebody edits by hand: the editor is a script, whose `$1` is the copy.
struct HandEditing {
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

    /// In the script `$SESSIONCTL` is the program.
    func environment(_ script: String) throws -> [String: String] {
        try folder.write("editor", script)
        return [
            "VISUAL": "", "EDITOR": "sh editor", "TMPDIR": folder.path(of: "tmp"),
            "SESSIONCTL": Program.sessionctl.path,
        ]
    }

    func edit(_ script: String, file: String = "a.json", answers: String = "") throws -> Program.Result {
        let environment = try environment(script)
        return try Program.sessionctl.run(
            ["edit", file], in: folder, input: .bytes(Array(answers.utf8)), environment: environment)
    }

    /// An edit that waits for answers, or in its editor.
    func start(_ script: String) throws -> RunningProgram {
        try Program.sessionctl.start(["edit", "a.json"], in: folder, input: .lines, environment: environment(script))
    }

    func text() throws -> String { try folder.read("a.json") }

    /// What is left in the folder for temporary files, a line each.
    func leftOvers() throws -> String { try folder.shell("cd tmp && find . -type f | sed 's|.*/||' | sort").output }

    func kept() throws -> String { try folder.shell("cat tmp/*/a.json").output }

    /// What is said of a copy that is kept, without its place.
    func keeping(_ messages: String) -> Bool {
        messages.contains("sessionctl: a.json: what you wrote is kept in \(folder.path(of: "tmp"))/sessionctl-")
            && messages.hasSuffix("/a.json\n")
    }
}

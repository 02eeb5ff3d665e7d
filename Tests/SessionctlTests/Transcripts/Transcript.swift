/// Shell commands and what they print, as manuals show them:
///
///     $ sessionctl get server.json http.port
///     8080
///
/// A line that begins with `$ ` is a command. One that ends with a backslash continues in the next line, which may begin
/// with `> `. All other lines are the output of the command before them.
struct Transcript {
    struct Step {
        /// What is typed, possibly several lines.
        var command: String
        var output: [String]
        /// The line number of the command.
        let line: Int
    }

    private(set) var steps: [Step] = []
    /// The lines before the first command, which belong to none.
    private(set) var strayLines: [String] = []

    /// - Parameter line: The number of the first line of the text.
    init(_ text: String, line: Int = 1) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        var isContinued = false
        for (index, text) in lines.enumerated() {
            if isContinued {
                steps[steps.count - 1].command += "\n" + (text.hasPrefix("> ") ? String(text.dropFirst(2)) : text)
            } else if text.hasPrefix("$ ") {
                steps.append(Step(command: String(text.dropFirst(2)), output: [], line: line + index))
            } else if steps.isEmpty {
                strayLines.append(text)
            } else {
                steps[steps.count - 1].output.append(text)
                continue
            }
            isContinued = text.hasSuffix("\\") && !steps.isEmpty
        }
    }
}

import LosslessJSON
import SessionMirror

/// A change of a file, as a command receives it.
struct FileChange {
    /// The JSON object for standard input, with a line end.
    let input: String
    /// The environment variables; nil for those that must not be set.
    let variables: [String: String?]

    /// Longer values are only in ``input``, because the system limits the size of the environment.
    private static let longestVariable = 32 << 10

    /// - Parameters:
    ///   - line: The object that `watch --json` prints for the change.
    ///   - path: The path of the change, or of the nearest value that contains all changes.
    ///   - old: The former value at the path; nil if there was none.
    ///   - new: The new value at the path; nil if there is none.
    init(of file: String, line: String, path: JSONPointer, old: JSON?, new: JSON?) {
        input = line + "\n"
        variables = [
            "SESSION_FILE": file, "SESSION_PATH": FileChange.variable(path.isRoot ? "" : path.dotted),
            "SESSION_OLD": old.flatMap(FileChange.variable), "SESSION_NEW": new.flatMap(FileChange.variable),
        ]
    }

    private static func variable(_ value: JSON) -> String? { variable(JSONPrinter(layout: .compact).string(value)) }

    /// Nil for a text that the environment cannot have: a long one, or a path with the character U+0000.
    private static func variable(_ text: String) -> String? {
        text.utf8.count > longestVariable || text.utf8.contains(0) ? nil : text
    }

    /// The path of the nearest value that contains all changes; at least one.
    static func commonPath(of changes: [JSONChange]) -> JSONPointer {
        var tokens = changes[0].path.tokens[...]
        for change in changes.dropFirst() {
            let shared = zip(tokens, change.path.tokens).prefix { $0 == $1 }.count
            tokens = tokens.prefix(shared)
        }
        return JSONPointer(Array(tokens))
    }
}

import Glibc
import LosslessJSON
import VisibleText

/// The parsed arguments of the `watch` command.
struct WatchRequest {
    /// At least one.
    let files: [String]
    /// Only changes at, below or above one of these are printed; empty for all.
    let paths: [JSONPointer]
    let usesJSON: Bool
    let isPolled: Bool
    let dialect: JSONDocument.Dialect
    let secrets: JSONSecrets
    let count: Int?
    let limit: Limit?
    /// The value that `--until` waits for.
    let awaitedValue: PathValue?

    /// A timeout as typed, and its duration.
    struct Limit {
        let text: String
        let duration: Duration
    }

    init(_ arguments: Arguments) throws(Failure) {
        var (files, paths): ([String], [JSONPointer]) = ([], [])
        for operand in arguments.operands {
            if operand == "-" { throw .usageError("standard input (-) cannot be watched; a file of that name is ./-") }
            if files.isEmpty || WatchRequest.isFile(operand) {
                if !files.contains(operand) { files.append(operand) }
            } else {
                paths.append(try WatchRequest.path(operand))
            }
        }
        for text in arguments.values(of: .at) { paths.append(try JSONPointer(operand: text)) }
        (self.files, self.paths) = (files, paths)
        usesJSON = arguments.has(.json)
        isPolled = arguments.has(.poll)
        dialect = arguments.has(.strict) ? .json : .jsonc
        secrets = try arguments.secrets
        count = try arguments.value(of: .count).map(WatchRequest.count)
        limit = try arguments.value(of: .timeout).map(Limit.init)
        awaitedValue = try arguments.value(of: .until).map { text throws(Failure) in
            try PathValue(parsing: text, for: "--until: ")
        }
    }

    /// Whether an operand after the first names a file: it exists, or is named like a JSON file.
    private static func isFile(_ operand: String) -> Bool {
        if operand.hasSuffix(".json") || operand.hasSuffix(".jsonc") { return true }
        var status = stat()
        return stat(operand, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }

    /// Parses an operand that is not a file. One with a slash inside is a file rather than a path with an unusual key.
    private static func path(_ operand: String) throws(Failure) -> JSONPointer {
        if operand.utf8.first != UInt8(ascii: "/"), operand.utf8.contains(UInt8(ascii: "/")) {
            throw .usageError(
                "\(operand.visible(upTo: 60)) is neither an existing file nor clearly a path inside the JSON;"
                    + " write --at=PATH for a path, and name a file that does not exist yet first")
        }
        return try JSONPointer(operand: operand)
    }

    private static func count(_ text: String) throws(Failure) -> Int {
        guard let count = Int(text), count > 0 else {
            throw .usageError("--count: \(text.visible(upTo: 60)) is not a positive whole number")
        }
        return count
    }

    /// Whether a change at `path` is at, below or above one of the paths.
    func includes(_ path: JSONPointer) -> Bool {
        paths.isEmpty
            || paths.contains { wanted in
                let depth = min(wanted.tokens.count, path.tokens.count)
                return JSONPointer(Array(wanted.tokens.prefix(depth))) == JSONPointer(Array(path.tokens.prefix(depth)))
            }
    }
}

extension WatchRequest.Limit {
    /// An upper limit below what clocks can represent.
    private static let longest = 1e9

    init(_ text: String) throws(Failure) {
        guard let seconds = Double(text), seconds >= 0 else {
            throw .usageError("--timeout: \(text.visible(upTo: 60)) is not a number of seconds")
        }
        self.text = "\(text) s"
        duration = .seconds(min(seconds, Self.longest))
    }
}

import Glibc
import LosslessJSON
import VisibleText

/// The parsed arguments of the `watch` command.
struct WatchRequest {
    let files: [String]
    /// Directories, each of whose JSON files is watched.
    let directories: [String]
    /// Only changes at, below or above one of these are printed; empty for all.
    let paths: [JSONPointer]
    let form: Form
    let isPolled: Bool
    let dialect: JSONDocument.Dialect
    let secrets: JSONSecrets
    let count: Int?
    let limit: Limit?
    /// The value that `--until` waits for.
    let awaitedValue: PathValue?
    /// Changes are printed once there has been none for this time.
    let debounce: Duration
    /// Whether the output begins with the current value, and a command is run for it.
    let beginsWithValue: Bool
    let action: ChangeAction?

    /// The form of the output.
    enum Form {
        case text
        case json
        case template(ChangeTemplate)
    }

    /// A timeout as typed, and its duration.
    struct Limit {
        let text: String
        let duration: Duration
    }

    init(_ arguments: Arguments) throws(Failure) {
        action = try ChangeAction(arguments)
        let operands = arguments.operands.prefix(arguments.has(.exec) ? arguments.firstAfterDashes ?? 0 : .max)
        if operands.isEmpty { throw .usageError("FILE is missing") }
        if !arguments.has(.exec), let first = arguments.firstAfterDashes, first > 0 {
            throw .usageError("a command after -- needs --exec before it; write --at=PATH for a path")
        }
        var (files, directories, paths): ([String], [String], [JSONPointer]) = ([], [], [])
        for (index, operand) in operands.enumerated() {
            switch try WatchRequest.kind(of: operand, isFirst: index == 0) {
            case .file: if !files.contains(operand) { files.append(operand) }
            case .directory: if !directories.contains(operand) { directories.append(operand) }
            case .path: paths.append(try WatchRequest.path(operand))
            }
        }
        for text in arguments.values(of: .at) { paths.append(try JSONPointer(operand: text)) }
        (self.files, self.directories, self.paths) = (files, directories, paths)
        form = try WatchRequest.form(arguments)
        isPolled = arguments.has(.poll)
        dialect = arguments.has(.strict) ? .json : .jsonc
        secrets = try arguments.secrets
        count = try arguments.value(of: .count).map(WatchRequest.count)
        limit = try arguments.value(of: .timeout).map { text throws(Failure) in try Limit(text, of: .timeout) }
        awaitedValue = try arguments.value(of: .until).map { text throws(Failure) in
            try PathValue(parsing: text, for: "--until: ")
        }
        debounce =
            try arguments.value(of: .debounce).map { text throws(Failure) in
                try Limit(text, of: .debounce).duration
            } ?? .zero
        if arguments.has(.initial), arguments.has(.noInitial) {
            throw .usageError("--initial and --no-initial exclude each other")
        }
        beginsWithValue =
            arguments.has(.initial) || !arguments.has(.noInitial) && (arguments.has(.json) || arguments.has(.restart))
    }

    /// Whether each line names its file in a member or field of its own.
    var namesFiles: Bool { files.count > 1 || !directories.isEmpty || action != nil }

    /// Where lines about changes are printed. With an action, standard output belongs to the command.
    var linesDescriptor: Int32 { action == nil ? STDOUT_FILENO : STDERR_FILENO }

    /// Whether a change at `path` is at, below or above one of the paths.
    func includes(_ path: JSONPointer) -> Bool {
        paths.isEmpty
            || paths.contains { wanted in
                let depth = min(wanted.tokens.count, path.tokens.count)
                return JSONPointer(Array(wanted.tokens.prefix(depth))) == JSONPointer(Array(path.tokens.prefix(depth)))
            }
    }
}

extension WatchRequest {
    private enum OperandKind { case file, directory, path }

    /// What an operand names. The first one is a file or a directory; one that ends in a slash is never a file. A further
    /// one is a directory if it ends in a slash and exists, and a file if it exists, or is named like a JSON file.
    private static func kind(of operand: String, isFirst: Bool) throws(Failure) -> OperandKind {
        if operand == "-" { throw .usageError("standard input (-) cannot be watched; a file of that name is ./-") }
        var status = stat()
        let exists = stat(operand, &status) == 0
        if isFirst, !exists, operand.contains(where: { "*?[".contains($0) }) {
            throw .usageError(
                "\(operand.visible(upTo: 60)): no file has this name; a shell expands a pattern only without quotes, and"
                    + " the name of a directory stands for all JSON files in it")
        }
        let isDirectory = exists && status.st_mode & S_IFMT == S_IFDIR
        let endsInSlash = operand.hasSuffix("/")
        if isFirst ? isDirectory || endsInSlash : isDirectory && endsInSlash { return .directory }
        if isFirst || operand.hasSuffix(".json") || operand.hasSuffix(".jsonc") { return .file }
        return exists && !isDirectory ? .file : .path
    }

    /// Parses an operand that is not a file. One with a slash inside is a file rather than a path with an unusual key.
    private static func path(_ operand: String) throws(Failure) -> JSONPointer {
        if operand.utf8.first != UInt8(ascii: "/"), operand.utf8.contains(UInt8(ascii: "/")) {
            throw .usageError(
                "\(operand.visible(upTo: 60)) is neither an existing file nor clearly a path inside the JSON;"
                    + " write --at=PATH for a path; a file that does not exist yet is the first operand, or ends in"
                    + " .json or .jsonc")
        }
        return try JSONPointer(operand: operand)
    }

    private static func form(_ arguments: Arguments) throws(Failure) -> Form {
        if arguments.has(.raw), !arguments.has(.template) { throw .usageError("--raw needs --format") }
        if arguments.has(.json) {
            for other in [Option.template, .exec, .signal] where arguments.has(other) {
                let advice = other.name == "exec" ? ": the command receives each change as JSON" : ""
                throw .usageError("--json and --\(other.name) exclude each other\(advice)")
            }
            return .json
        }
        guard let text = arguments.value(of: .template) else { return .text }
        return .template(try ChangeTemplate(text, isRaw: arguments.has(.raw)))
    }

    private static func count(_ text: String) throws(Failure) -> Int {
        guard let count = Int(text), count > 0 else {
            throw .usageError("--count: \(text.visible(upTo: 60)) is not a positive whole number")
        }
        return count
    }
}

extension WatchRequest.Limit {
    /// An upper limit below what clocks can represent.
    private static let longest = 1e9

    init(_ text: String, of option: Option) throws(Failure) {
        guard let seconds = Double(text), seconds >= 0 else {
            throw .usageError("--\(option.name): \(text.visible(upTo: 60)) is not a number of seconds")
        }
        self.text = "\(text) s"
        duration = .seconds(min(seconds, Self.longest))
    }
}

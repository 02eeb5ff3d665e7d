import Glibc
import LosslessJSON

extension Command {
    static let diff = Command(
        name: "diff",
        summary: "say what values differ between two files",
        explanation: """
            Says where the values of two files differ, a line each: + for what only B has,
            - for what only A has, ~ for another value. Comments, layout, the order of
            members and the spelling of numbers make no difference. Coloured on a terminal,
            unless NO_COLOR is set. With --json each line is an object with "path", "old",
            "new" and the "line" in B; what is missing is left out. One of the files can
            be -, standard input. The exit status is 0 when nothing differs, 1 when
            something does, 3 when a file cannot be read or is no JSON.
            """,
        options: [.json],
        operands: [Operand(name: "A"), Operand(name: "B")],
        run: diff)

    private static func diff(_ arguments: Arguments) throws(Failure) -> ExitCode {
        let files = try InputFile.list(arguments.operands)
        guard let old = try document(files[0]), let new = try document(files[1]) else { return .refused }
        let changes = new.value.difference(from: old.value)
        if changes.isEmpty { return .done }
        let isColoured = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR").map { $0.pointee == 0 } != false
        let lines = arguments.has(.json) ? objects(changes, new) : changes.map { line($0, isColoured) }
        try Output.standard.write(lines.map { $0 + "\n" }.joined())
        return .no
    }

    private static func document(_ file: InputFile) throws(Failure) -> JSONDocument? {
        do throws(Failure) { return try file.document() } catch { throw error.asRefusal }
    }

    private static func line(_ change: JSONChange, _ isColoured: Bool) -> String {
        func text(_ value: JSON?) -> String { value?.text(upTo: 200) ?? "" }
        let (colour, line) =
            switch change.kind {
            case .added: (32, "+ \(change.path.title): \(text(change.new))")
            case .removed: (31, "- \(change.path.title): \(text(change.old))")
            case .changed: (33, "~ \(change.path.title): \(text(change.old)) → \(text(change.new))")
            }
        return isColoured ? "\u{1B}[\(colour)m\(line)\u{1B}[0m" : line
    }

    private static func objects(_ changes: [JSONChange], _ new: JSONDocument) -> [String] {
        let places = new.locations(of: changes.lazy.filter { $0.kind != .removed }.map(\.path))
        return changes.map { change in
            let located = LocatedChange(change: change, line: places[change.path]?.line)
            return JSONPrinter(layout: .compact).string(ObjectLines.object(located))
        }
    }
}

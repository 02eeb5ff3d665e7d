import LosslessJSON
import VisibleText

extension Option {
    static let name = Option(name: "name", value: "NAME", help: "the name of OURS in messages")
}

extension Command {
    static let merge = Command(
        name: "merge",
        summary: "merge three versions of a file by value",
        explanation: """
            Applies the changes from BASE to THEIRS to the file OURS, member by member.
            Only the bytes of changed values change. If both sides changed a value
            differently, ours is kept, the conflict is reported, and the exit status is 1;
            otherwise it is 0. If a file cannot be read or is not valid JSON, OURS is not
            changed and the exit status is 3. An empty BASE means that there is none.

            As a git merge driver:
              git config merge.sessionctl.driver 'sessionctl merge --name=%P %O %A %B'
              echo '*.json merge=sessionctl' >>.gitattributes
            """,
        options: [.name, .redact],
        operands: [Operand(name: "BASE"), Operand(name: "OURS"), Operand(name: "THEIRS")],
        run: merge,
        examples: """
            $ cp server.json base.json
            $ cp server.json theirs.json
            $ sessionctl set server.json http.port 80
            $ sessionctl set theirs.json http.host='"example.org"' http.port=81
            $ sessionctl merge base.json server.json theirs.json
            server.json: conflict: http.port: base 8080, ours 80 (kept), theirs 81
            $ sessionctl get server.json http
            {
              "port": 80,
              "host": "example.org"
            }
            """)

    private static func merge(_ arguments: Arguments) throws(Failure) -> ExitCode {
        do throws(Failure) {
            return try merge(try InputFile.list(arguments), arguments)
        } catch {
            throw error.asSystemError
        }
    }

    private static func merge(_ files: [InputFile], _ arguments: Arguments) throws(Failure) -> ExitCode {
        let title = arguments.value(of: .name)?.visible ?? files[1].title
        guard let base = try base(files[0]), let theirs = try files[2].document() else { return .systemError }
        var conflicts: [JSONConflict] = []
        let code = try EditedFile(arguments.operands[1], hiding: files[1].secrets).edit { ours throws(Failure) in
            let merged = try ours.merging(base: base.value, theirs: theirs.value, title: title)
            conflicts = merged.1
            return merged.0
        }
        if code != .success { return .systemError }
        for conflict in conflicts {
            let text = text(of: files[1].secrets.redacting(conflict), isFromNothing: base.isNothing)
            Output.messages.writeLine("\(title): conflict: \(text)")
        }
        return conflicts.isEmpty ? .success : .negative
    }

    /// The value of BASE; nil after reporting that it is not valid JSON.
    private static func base(_ file: InputFile) throws(Failure) -> (value: JSON, isNothing: Bool)? {
        try file.document(.acceptingBlankText).map { ($0.isBlank ? .null : $0.value, $0.isBlank) }
    }

    private static func text(of conflict: JSONConflict, isFromNothing: Bool) -> String {
        func text(_ value: JSON?) -> String { value?.text(upTo: 80) ?? "(none)" }
        let base = isFromNothing ? nil : conflict.base
        let (ours, theirs) = (text(conflict.ours), text(conflict.theirs))
        return "\(conflict.path.title): base \(text(base)), ours \(ours) (kept), theirs \(theirs)"
    }
}

import LosslessJSON

extension Option {
    static let name = Option(name: "name", value: "NAME", help: "what OURS is called in messages")
}

extension Command {
    static let merge = Command(
        name: "merge",
        summary: "merge what two sides made of a file, by values",
        explanation: """
            Puts into OURS what THEIRS changed since BASE, member by member: only the bytes
            of the values that they changed differ afterwards. Where both sides changed a
            value differently ours stays, each such conflict is said, and the exit status
            is 1; otherwise it is 0. When one of the files cannot be read or is no JSON,
            OURS is left alone and the exit status is 3. An empty BASE is taken for none.

            As a merge driver of git:
              git config merge.sessionctl.driver 'sessionctl merge --name=%P %O %A %B'
              echo '*.json merge=sessionctl' >>.gitattributes
            """,
        options: [.name],
        operands: [Operand(name: "BASE"), Operand(name: "OURS"), Operand(name: "THEIRS")],
        run: merge)

    private static func merge(_ arguments: Arguments) throws(Failure) -> ExitCode {
        do throws(Failure) {
            return try merge(try InputFile.list(arguments.operands), arguments)
        } catch {
            throw error.asRefusal
        }
    }

    private static func merge(_ files: [InputFile], _ arguments: Arguments) throws(Failure) -> ExitCode {
        let title = arguments.value(of: .name)?.visible ?? files[1].title
        guard let base = try base(files[0]), let theirs = try files[2].document() else { return .refused }
        var conflicts: [JSONConflict] = []
        let outcome = try EditedFile(arguments.operands[1]).edit { ours throws(Failure) in
            let merged = try ours.merging(base: base.value, theirs: theirs.value, title: title)
            conflicts = merged.1
            return merged.0
        }
        if outcome != .done { return .refused }
        for conflict in conflicts {
            Output.messages.say("\(title): conflict: \(text(of: conflict, isFromNothing: base.isNothing))")
        }
        return conflicts.isEmpty ? .done : .no
    }

    /// The value both sides began with, nothing for an empty file; nil when it is no JSON, which has been reported.
    private static func base(_ file: InputFile) throws(Failure) -> (value: JSON, isNothing: Bool)? {
        let bytes = try file.read(limit: JSONDocument.Options().sizeLimit)
        if bytes.isBlank { return (.null, true) }
        return file.document(of: bytes).map { ($0.value, false) }
    }

    private static func text(of conflict: JSONConflict, isFromNothing: Bool) -> String {
        func text(_ value: JSON?) -> String { value?.text(upTo: 80) ?? "nothing" }
        let base = isFromNothing ? nil : conflict.base
        return "\(conflict.path.title): \(text(base)) became \(text(conflict.ours)) in ours, which stays, and"
            + " \(text(conflict.theirs)) in theirs"
    }
}

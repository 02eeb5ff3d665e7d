import LosslessJSON
import SessionMirror

extension Watch {
    /// Whether the condition of `--count` or `--until` is met, and no command must end first.
    var isFinished: Bool {
        if isCountReached { return request.action == nil || !actions.isRunning }
        guard isValueReached else { return false }
        return actions.isIdle || actions.isLongRunning
    }

    /// Whether the number of `--count` is reached, of printed changes, or of runs and signals if there are any.
    var isCountReached: Bool {
        guard let wanted = request.count else { return false }
        return (request.action == nil ? count : actions.count) >= wanted
    }

    private var isValueReached: Bool { request.isValueReached(in: files.all.map { $0.shown.value }) }

    /// The message after a timeout.
    var timeoutMessage: String {
        request.timeoutMessage(
            files.all.map { ($0.title, $0.shown.value) }, count: request.action == nil ? count : actions.count)
    }
}

extension Watch {
    /// For each path at which no file has a value, a message that says so, in case it is mistyped. A file that is missing
    /// or invalid is reported anyway.
    var missingPaths: [String] {
        if case .json = request.form { return [] }
        let files = files.all
        guard !files.isEmpty, files.allSatisfy(\.hasContent) else { return [] }
        return request.paths.filter { path in files.allSatisfy { $0.shown.value[at: path] == nil } }.map { path in
            guard files.count == 1 else { return "no value at \(path.title) in any file; waiting for one" }
            let reason = MissingPath(path, in: request.secrets.redacting(files[0].shown.value))
            return "\(files[0].title): \(reason.description); waiting for one"
        }
    }

    /// Prints lines for the values of files.
    func printChanges(_ lines: [String]) throws(Failure) {
        let text = lines.map { $0 + "\n" }.joined()
        if text.isEmpty { return }
        if request.action == nil { return try Output.standard.write(text) }
        // The command does not depend on who reads the messages.
        do throws(Failure) { try Output.messages.write(text) } catch {}
    }

    /// Prints a line about a file: that it is watched, a problem, a status.
    func printNotice(_ text: String) throws(Failure) {
        if case .template = request.form { return Output.messages.writeLine(text) }
        try printChanges([text])
    }
}

import Glibc
import VisibleText

/// The command of `edit --check`, which decides whether a text may be saved.
///
/// It runs on a copy of its own. What it writes there is ignored, and the copy holds exactly the checked bytes even if
/// an editor in the background writes to its own.
struct TextCheck {
    private let command: ForegroundCommand

    /// Throws for a blank command, which would execute the text itself.
    init(_ text: String) throws(Failure) {
        if text.allSatisfy(\.isWhitespace) { throw .usageError("--check needs a command") }
        command = ForegroundCommand(text: text)
    }

    /// Its name in messages.
    private var title: String { "the check (\(command.text.visible(upTo: 60)))" }

    /// Runs the command on a text; returns why the text is rejected, nil if it is accepted.
    ///
    /// - Parameter name: The name of the file to be saved.
    func rejection(of bytes: [UInt8], named name: String) throws(Failure) -> String? {
        let result = try run(on: bytes, named: name)
        // Whatever the command makes of an interrupt, the user wants no more of this.
        if let number = result.received.first { throw .interrupted(by: result.termination ?? number) }
        switch result.ending {
        case .exited(0): return nil
        case .exited(let status) where status == 126 || status == 127:
            throw .systemError("\(title) cannot be run (exit status \(status)): nothing was saved")
        case .exited(let status): return "\(title) ended with exit status \(status)"
        case .killed(let signal): return "\(title) was killed by signal \(signal)"
        }
    }

    /// The command reads no input, which holds the answers of the user.
    private func run(on bytes: [UInt8], named name: String) throws(Failure) -> ForegroundCommand.Result {
        let copy = try TemporaryCopy(of: name, contents: bytes)
        defer { copy.remove() }
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if nothing < 0 { throw .systemError("/dev/null", errorNumber: errno) }
        defer { close(nothing) }
        return try command.run(on: copy.path, standardInput: nothing)
    }
}

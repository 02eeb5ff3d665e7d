import Glibc
import VisibleText

/// An error that ends a command.
enum Failure: Error {
    /// A negative result, with its reason.
    case negative(String)
    /// An invalid command line.
    case usageError(String)
    /// A system error, with the name of the file.
    case systemError(String)
    /// The reader of standard output has closed it. Not reported.
    case outputClosed
    /// A termination signal. The command cleans up and then terminates by it.
    case interrupted(by: Int32)

    /// The system's message for an error number.
    static func systemError(_ name: String, errorNumber: Int32) -> Failure {
        .systemError("\(name): \(String(cString: strerror(errorNumber)))")
    }

    /// A negative result as a system error, for commands in which exit code 1 means something else.
    var asSystemError: Failure { if case .negative(let text) = self { .systemError(text) } else { self } }

    /// The reason; nil if there is nothing to report.
    var message: String? {
        switch self {
        case .negative(let text), .usageError(let text), .systemError(let text): text
        case .outputClosed, .interrupted: nil
        }
    }

    var code: ExitCode {
        switch self {
        case .negative: .negative
        case .usageError: .usageError
        case .systemError, .outputClosed, .interrupted: .systemError
        }
    }

    /// Writes the message to standard error, with the usage line after a usage error.
    @discardableResult
    func report(_ command: Command? = nil) -> ExitCode {
        switch self {
        case .negative(let text), .systemError(let text):
            Output.messages.writeLine("\(Sessionctl.name): \(text.visible)")
        case .usageError(let text): Output.messages.writeLine("\(Sessionctl.name): \(text)\n\(Help.usage(command))")
        case .outputClosed, .interrupted: break
        }
        return code
    }
}

/// The exit codes of the program.
enum ExitCode: Int32 {
    case success = 0
    /// A negative result: invalid JSON, no value at the path, a difference, a conflict, a timeout.
    case negative = 1
    /// An invalid command line.
    case usageError = 2
    /// A system error: a file cannot be read, the output cannot be written.
    case systemError = 3
}

extension ExitCode {
    /// The codes and their descriptions in the help and in the manual pages.
    static let meanings: [(code: ExitCode, text: String)] = [
        (.success, "success"),
        (.negative, "negative result: invalid JSON, no value at the path, a timeout"),
        (.usageError, "usage error"),
        (.systemError, "system error: a file cannot be read, the output cannot be written"),
    ]
}

extension ExitCode: Comparable {
    static func < (a: ExitCode, b: ExitCode) -> Bool { a.rawValue < b.rawValue }
}

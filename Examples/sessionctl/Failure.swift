import Glibc

/// Why a command ends early.
enum Failure: Error {
    /// The answer is no, for this reason.
    case no(String)
    /// The command line makes no sense.
    case misused(String)
    /// The system refused something; the text names what.
    case refused(String)
    /// Nobody reads standard output any more: no reason to say a word.
    case unread
    /// A signal asked for it; the command ends by it once it has put things in order.
    case interrupted(by: Int32)

    /// What the system says about a file, by the number of its error.
    static func refused(_ name: String, errorNumber: Int32) -> Failure {
        .refused("\(name): \(String(cString: strerror(errorNumber)))")
    }

    /// For commands whose "no" is an answer of another kind.
    var asRefusal: Failure { if case .no(let text) = self { .refused(text) } else { self } }

    var code: ExitCode {
        switch self {
        case .no: .no
        case .misused: .misused
        case .refused, .unread, .interrupted: .refused
        }
    }

    /// Says it on standard error; after a misuse also how the command, or the program, is used.
    @discardableResult
    func report(_ command: Command? = nil) -> ExitCode {
        switch self {
        case .no(let text), .refused(let text): Output.messages.say("\(Sessionctl.name): \(text)")
        case .misused(let text): Output.messages.say("\(Sessionctl.name): \(text)\n\(Help.usage(command))")
        case .unread, .interrupted: break
        }
        return code
    }
}

import Glibc
import VisibleText

/// The program that sessionctl runs for `bridge` and `fleet status`: it links libcurl, which sessionctl does without.
///
/// sessionctl has checked its arguments: a task, then options of the form `name=value`.
@main
enum SessionctlFleet {
    /// What people have called.
    static let name = "sessionctl"

    /// Those of sessionctl.
    enum ExitCode: Int32 {
        case success = 0
        case negative = 1
        case usageError = 2
        case systemError = 3
    }

    static func main() async {
        // A closed pipe and a file size limit are reported as errors instead of terminating the program.
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
        // Before any other thread exists, since the others have the same mask.
        let signals = TerminationSignals()
        do throws(Failure) {
            let words = CommandLine.arguments.dropFirst()
            let arguments = try TaskArguments(Array(words.dropFirst()))
            switch words.first {
            case "bridge":
                let bridge = try Bridge(arguments)
                let reason = await bridge.run(until: signals)
                if case .signal(let number) = reason { signals.endProgram(by: number) }
                exit(ExitCode.systemError.rawValue)
            case "status":
                signals.restore()
                exit(try await StatusReport(arguments).print().rawValue)
            default: throw .wrongCall
            }
        } catch {
            Output.messages.writeLine("\(name): \(error.message)")
            exit(error.code.rawValue)
        }
    }
}

/// An error that ends the program.
struct Failure: Error {
    let code: SessionctlFleet.ExitCode
    /// On one line, safe for terminals.
    let message: String

    init(_ code: SessionctlFleet.ExitCode, _ message: String) {
        (self.code, self.message) = (code, message.visible)
    }

    static let wrongCall = Failure(
        .systemError,
        "sessionctl-fleet is a part of sessionctl, of the same version: write \"sessionctl bridge\" or"
            + " \"sessionctl fleet\""
    )
}

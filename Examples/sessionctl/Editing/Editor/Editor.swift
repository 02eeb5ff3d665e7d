import Glibc
import VisibleText

/// The user's preferred editor.
struct Editor {
    private let command: ForegroundCommand

    /// The value of `VISUAL`, else of `EDITOR`, else vi.
    static var preferred: Editor {
        for name in ["VISUAL", "EDITOR"] {
            if let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty {
                return Editor(command: ForegroundCommand(text: value))
            }
        }
        return Editor(command: ForegroundCommand(text: "vi"))
    }

    /// Its name in messages.
    private var title: String { "the editor (\(command.text.visible(upTo: 60)))" }

    /// Runs the editor on a file until it exits; throws unless the exit status is 0.
    ///
    /// An interrupt that does not end the editor is its own affair.
    func run(on path: String) throws(Failure) {
        let result = try command.run(on: path)
        if let number = result.termination ?? result.interrupt { throw .interrupted(by: number) }
        switch result.ending {
        case .killed(let signal): throw .negative("\(title) was killed by signal \(signal): nothing was saved")
        case .exited(0): return
        case .exited(126), .exited(127): throw .systemError("\(title) cannot be run; set VISUAL or EDITOR")
        case .exited(let status): throw .negative("\(title) ended with exit status \(status): nothing was saved")
        }
    }
}

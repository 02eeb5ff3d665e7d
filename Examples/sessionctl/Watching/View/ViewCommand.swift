import Glibc

extension Option {
    static let view = Option(name: "view", help: "show the values in a full-screen view; ? shows its keys")
}

extension Terminal {
    /// Whether standard input and output are terminals, as a view needs.
    static var isInteractive: Bool { isOutput && isatty(STDIN_FILENO) == 1 }
}

/// The `watch --view` command.
enum ViewCommand {
    /// The options of `watch` that make no sense with a view.
    private static let others: [Option] = [
        .json, .template, .raw, .initial, .noInitial, .debounce, .exec, .restart, .grace, .signal, .pid,
    ]

    static func run(_ arguments: Arguments) throws(Failure) -> ExitCode {
        if let other = others.first(where: arguments.has) {
            throw .usageError("--view and --\(other.name) exclude each other")
        }
        let request = try WatchRequest(arguments)
        #if Curses
        guard Terminal.isInteractive else {
            throw .usageError("--view needs a terminal as standard input and output")
        }
        do throws(Failure) {
            var view = try WatchView(request)
            return try view.run()
        } catch {
            if case .interrupted(let number) = error { SignalPipe.endProgram(by: number) }
            throw error
        }
        #else
        _ = request
        throw .usageError("this \(Sessionctl.name) was built without the view (SESSIONMIRROR_VIEW=0)")
        #endif
    }
}

import TestSupport

extension Program {
    static let sessionctl = built("sessionctl")
}

extension TemporaryFolder {
    /// Runs sessionctl here.
    func sessionctl(_ arguments: String...) throws -> Program.Result {
        try Program.sessionctl.run(arguments, in: self)
    }

    /// Runs sessionctl here, with standard input.
    func sessionctl(_ arguments: String..., input: [UInt8]) throws -> Program.Result {
        try Program.sessionctl.run(arguments, in: self, input: .bytes(input))
    }

    /// Runs a script here, in which `$0` is sessionctl.
    func shell(_ script: String) throws -> Program.Result {
        try Program.shell.run(["-c", script, Program.sessionctl.path], in: self)
    }

    /// Puts a file in the place of another, as editors do: at no moment is it half written, however slow the machine is.
    func put(_ name: String, _ text: String) throws {
        try write("\(name).new", text)
        try rename("\(name).new", to: name)
    }
}

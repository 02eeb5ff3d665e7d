import TestSupport

extension Program {
    static let sessionctl = built("sessionctl")
}

extension TemporaryFolder {
    /// Runs sessionctl in this directory.
    func sessionctl(_ arguments: String...) throws -> Program.Result {
        try Program.sessionctl.run(arguments, in: self)
    }

    /// Runs sessionctl in this directory, with standard input.
    func sessionctl(_ arguments: String..., input: [UInt8]) throws -> Program.Result {
        try Program.sessionctl.run(arguments, in: self, input: .bytes(input))
    }

    /// Runs a shell script in this directory; `$0` is sessionctl.
    func shell(_ script: String) throws -> Program.Result {
        try Program.shell.run(["-c", script, Program.sessionctl.path], in: self)
    }

    /// Writes a new file and renames it over the old one, so that it is never partially written.
    func put(_ name: String, _ text: String) throws {
        try write("\(name).new", text)
        try rename("\(name).new", to: name)
    }
}

import Glibc

/// An executable that tests run as a process of its own.
///
/// ```swift
/// let result = try Program.shell.run(["-c", "cat a.json"], in: folder)
/// #expect(result == Program.Result(code: 0, output: "{}\n"))
/// ```
///
/// Foundation's `Process` would do, but leaks, and the address sanitizer tells.
package struct Program: Sendable {
    /// What a run showed.
    package struct Result: Equatable, Sendable {
        /// The exit code; 128 and the number of the signal for a process that a signal ended.
        package var code: Int32
        package var output: String
        package var messages: String

        package init(code: Int32, output: String = "", messages: String = "") {
            self.code = code
            self.output = output
            self.messages = messages
        }
    }

    /// What a process finds at its standard input.
    package enum Input: Sendable {
        case nothing
        case bytes([UInt8])
        /// A descriptor, which is closed here.
        case descriptor(Int32)
        /// What ``RunningProgram/say(_:)`` sends.
        case lines
    }

    package let path: String

    package init(_ path: String) { self.path = path }

    /// A product of this package, which lies where the tests themselves were built.
    package static func built(_ name: String) -> Program {
        let resolved = realpath("/proc/self/exe", nil)!
        defer { free(resolved) }
        let tests = String(cString: resolved)
        return Program(String(tests[...tests.lastIndex(of: "/")!]) + name)
    }

    package static let shell = Program("/bin/sh")

    /// Runs it to its end in `folder`; one that hangs is killed, with all that it started.
    package func run(
        _ arguments: [String] = [], in folder: TemporaryFolder, input: Input = .nothing,
        environment: [String: String] = [:], limit: Duration = .seconds(120)
    ) throws -> Result {
        try start(arguments, in: folder, input: input, environment: environment).end(within: limit)
    }

    /// Starts it in `folder`, as a process that is killed, with all that it started, when what is returned is released.
    package func start(
        _ arguments: [String] = [], in folder: TemporaryFolder, input: Input = .nothing,
        environment: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram(self, arguments, in: folder, input: input, environment: environment)
    }
}

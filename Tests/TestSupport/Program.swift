import Glibc

/// An executable that tests run as a child process.
///
/// ```swift
/// let result = try Program.shell.run(["-c", "cat a.json"], in: folder)
/// #expect(result == Program.Result(code: 0, output: "{}\n"))
/// ```
///
/// Replaces Foundation's `Process`, which leaks under the address sanitizer.
package struct Program: Sendable {
    /// The exit code and output of a finished run.
    package struct Result: Equatable, Sendable {
        /// The exit code; 128 plus the signal number if a signal ended the process.
        package var code: Int32
        package var output: String
        package var messages: String

        package init(code: Int32, output: String = "", messages: String = "") {
            self.code = code
            self.output = output
            self.messages = messages
        }
    }

    /// The standard input of a process.
    package enum Input: Sendable {
        case nothing
        case bytes([UInt8])
        /// A descriptor, which is closed in this process.
        case descriptor(Int32)
        /// Lines sent with ``RunningProgram/say(_:)``.
        case lines
    }

    package let path: String

    package init(_ path: String) { self.path = path }

    /// A product of this package, in the build directory of the running tests.
    package static func built(_ name: String) -> Program {
        let resolved = realpath("/proc/self/exe", nil)!
        defer { free(resolved) }
        let tests = String(cString: resolved)
        return Program(String(tests[...tests.lastIndex(of: "/")!]) + name)
    }

    package static let shell = Program("/bin/sh")

    /// The first arguments of `/usr/bin/env` for an environment of a program's own, which keeps the settings of sanitizers only.
    package static let emptyEnvironment = ["-i", "ASAN_OPTIONS=\(ProcessSpawner.sanitizerOptions)"]

    /// Runs it in `folder` until it exits. Kills it and its children after the time limit.
    package func run(
        _ arguments: [String] = [], in folder: TemporaryFolder, input: Input = .nothing,
        environment: [String: String] = [:], limit: Duration = .seconds(120)
    ) throws -> Result {
        try start(arguments, in: folder, input: input, environment: environment).end(within: limit)
    }

    /// Starts it in `folder`. The process and its children are killed when the result is released.
    package func start(
        _ arguments: [String] = [], in folder: TemporaryFolder, input: Input = .nothing,
        environment: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram(self, arguments, in: folder, input: input, environment: environment)
    }
}

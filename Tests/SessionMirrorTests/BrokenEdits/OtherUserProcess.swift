import Glibc
import TestSupport
import Testing

/// A process of an unprivileged user, with a session of a file that it cannot always read. Root can read everything.
struct OtherUserProcess {
    let environment: ScenarioEnvironment
    private static let nobody = "65534"

    init() throws {
        environment = try ScenarioEnvironment()
        try environment.run("chmod 755 . && cp '\(Program.built("SessionProbe").path)' probe && chmod 755 probe")
        let result = try command(["usage"]).run(in: environment.folder)
        if result.code == 64 { return }
        try Requirement.skip("unreadable files", "the probe does not run as another user: \(result.messages)")
    }

    /// Starts a probe that opens a session of `file` and prints changes and reports line by line.
    func report(_ file: String) throws -> RunningProgram {
        try start("reports", file)
    }

    /// Starts the probe as the other user.
    func start(_ arguments: String..., environment: [String: String] = [:]) throws -> RunningProgram {
        try command(arguments).start(in: self.environment.folder, input: .lines, environment: environment)
    }

    private func command(_ arguments: [String]) throws -> Command {
        let probe = environment.folder.path(of: "probe")
        if geteuid() != 0 { return Command(program: Program(probe), arguments: arguments) }
        return Command(
            program: try Programs.setpriv.program,
            arguments: ["--reuid", Self.nobody, "--regid", Self.nobody, "--clear-groups", probe] + arguments)
    }

    private struct Command {
        let program: Program
        let arguments: [String]

        func run(in folder: TemporaryFolder) throws -> Program.Result { try program.run(arguments, in: folder) }

        func start(
            in folder: TemporaryFolder, input: Program.Input, environment: [String: String]
        ) throws -> RunningProgram {
            try program.start(arguments, in: folder, input: input, environment: environment)
        }
    }
}

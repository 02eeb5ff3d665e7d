import Glibc
import TestSupport
import Testing

/// A process that mirrors a file and may not read everything: as another user, since nothing is kept from root.
struct Stranger {
    let place: ScenarioPlace
    private static let nobody = "65534"

    init() throws {
        place = try ScenarioPlace()
        try place.run("chmod 755 . && cp '\(Program.built("SessionProbe").path)' probe && chmod 755 probe")
        let result = try command(["usage"]).run(in: place.folder)
        if result.code == 64 { return }
        try Need.skip("what may not be read", "the probe does not run as another user: \(result.messages)")
    }

    /// Mirrors `file`, and says line by line what becomes of it.
    func mirror(_ file: String) throws -> RunningProgram {
        try start("reports", file)
    }

    /// Starts a probe as another user.
    func start(_ arguments: String..., environment: [String: String] = [:]) throws -> RunningProgram {
        try command(arguments).start(in: place.folder, input: .lines, environment: environment)
    }

    private func command(_ arguments: [String]) throws -> Command {
        let probe = place.folder.path(of: "probe")
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

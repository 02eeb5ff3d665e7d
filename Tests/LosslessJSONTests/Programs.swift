import Foundation
import Glibc
import Testing

/// The programs of other people that tests compare with or play against.
///
/// A test that needs one says so with the trait ``needs(_:)``. Where the program is missing, the test is skipped by
/// name with the way to get it, unless the environment variable SESSIONMIRROR_NO_SKIPS is 1: then it runs and fails.
enum Programs: String, CaseIterable {
    case python3

    /// The Debian package that holds it.
    var package: String {
        switch self {
        case .python3: "python3"
        }
    }

    /// What to say where it is missing.
    var advice: String { "\(rawValue) is not installed: apt-get install \(package)" }

    /// Where it is; nil when it is not installed.
    var path: String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { "\($0)/\(rawValue)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Whether a test that needs it is to run: it can, or nothing may be skipped.
    var isToBeTried: Bool { path != nil || Programs.nothingMayBeSkipped }

    static var nothingMayBeSkipped: Bool { ProcessInfo.processInfo.environment["SESSIONMIRROR_NO_SKIPS"] == "1" }

    /// Runs it to its end, with one file of `folder` at its standard input and another at its standard output.
    ///
    /// Foundation's `Process` would do, but leaks, and the address sanitizer tells.
    func run(_ arguments: [String], in folder: TemporaryFolder, from input: String, to output: String) throws {
        let executable = try #require(path, "\(advice)")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, folder.path(of: input), O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, folder.path(of: output), O_WRONLY | O_CREAT, 0o600)

        let line = ([executable] + arguments).map { strdup($0) } + [nil]
        defer { for argument in line { free(argument) } }
        var process: pid_t = 0
        try #require(posix_spawn(&process, executable, &actions, nil, line, environ) == 0, "\(rawValue) does not start")
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { try #require(errno == EINTR) }
        try #require(status == 0, "\(rawValue) ended with the status \(status)")
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test by name where the program is missing, with the way to get it.
    static func needs(_ program: Programs) -> Self { .enabled(if: program.isToBeTried, "\(program.advice)") }
}

import Foundation
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

    /// Runs it to its end with `input` as a file at its standard input, and gives what it printed.
    func output(of arguments: [String], input: URL) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(path, "\(advice)"))
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: input)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(rawValue) ended with \(process.terminationStatus)")
        return output
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test by name where the program is missing, with the way to get it.
    static func needs(_ program: Programs) -> Self { .enabled(if: program.isToBeTried, "\(program.advice)") }
}

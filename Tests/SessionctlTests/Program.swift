import Foundation
import Glibc

/// The program as it was built, run as a process of its own.
struct Program {
    /// What a run showed.
    struct Result: Equatable {
        /// The exit code; 128 and the number of the signal for a process that a signal ended.
        var code: Int32
        var output = ""
        var messages = ""
    }

    struct TookTooLong: Error {}

    /// Lies where the tests themselves were built.
    static let path = {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appendingPathComponent("sessionctl").path
    }()

    private static let limit = DispatchTimeInterval.seconds(120)

    /// Runs it, or another executable, to its end in `folder`; one that hangs is killed, with all that it started.
    static func run(
        _ arguments: [String], of executable: String = path, in folder: TemporaryFolder, input: FileHandle? = nil
    ) throws -> Result {
        let (output, messages) = (try folder.newCapture(), try folder.newCapture())
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.standardInput = input ?? FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: messages)
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        guard ended.wait(timeout: .now() + limit) == .success else {
            kill(-process.processIdentifier, SIGKILL)
            kill(process.processIdentifier, SIGKILL)
            ended.wait()
            throw TookTooLong()
        }
        return Result(
            code: process.terminationStatus + (process.terminationReason == .exit ? 0 : 128),
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            messages: String(decoding: try Data(contentsOf: messages), as: UTF8.self))
    }
}

internal import Glibc
internal import VisibleText

/// Starts programs with a clean signal mask, also from callbacks.
///
/// ```swift
/// let token = session.observe(\.certificate) { _ in
///     guard let process = try? ChildProcess.spawn("systemctl", ["reload", "nginx"]) else { return }
///     waitpid(process, nil, 0)
/// }
/// ```
///
/// A program inherits the signal mask of the thread that starts it, and callbacks run on threads that block nearly all
/// signals. So a program that a callback starts with `posix_spawn`, `fork` or Foundation's `Process` does not react to
/// SIGTERM. A program started here blocks and ignores no signal, whichever thread starts it.
public enum ChildProcess {
    /// Starts a program, and returns its process id once it runs.
    ///
    /// The caller must wait for its end with `waitpid`; until then an ended process remains as a zombie, unless this
    /// process ignores SIGCHLD. The program runs in the working directory of this process, and inherits only the three
    /// given descriptors, whether or not others are marked close-on-exec.
    ///
    /// - Parameters:
    ///   - program: The path of an executable, or a name without a slash, which is searched for in `PATH`.
    ///   - arguments: The arguments after the program name. No shell interprets them.
    ///   - environment: All environment variables; by default those of this process.
    ///   - settingVariables: Variables to set or, with nil, to remove in this environment.
    ///   - standardInput: The descriptor of its standard input.
    ///   - standardOutput: The descriptor of its standard output.
    ///   - standardError: The descriptor of its standard error.
    ///   - keepingIgnored: Signals that the program ignores if this process does, as needed for SIGHUP under `nohup`.
    ///   - inNewGroup: Whether the program leads a process group of its own, so that a signal can be sent to it and to the
    ///     programs that it starts: `kill(-process, SIGTERM)`. By default it is in the group of this process.
    /// - Throws: A ``ChildProcessError`` if the program does not exist or cannot be executed, or the system cannot create a
    ///   process.
    @discardableResult
    public static func spawn(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
        settingVariables: [String: String?] = [:], standardInput: Int32 = 0, standardOutput: Int32 = 1,
        standardError: Int32 = 2, keepingIgnored: [Int32] = [], inNewGroup: Bool = false
    ) throws(ChildProcessError) -> Int32 {
        do throws(SpawnFailure) {
            let variables = try CStrings(
                environment: environment?.map { "\($0.key)=\($0.value)" }, setting: settingVariables)
            return try Spawn(keepingIgnored: keepingIgnored, inNewGroup: inNewGroup).run(
                program, arguments, variables, [standardInput, standardOutput, standardError])
        } catch {
            throw ChildProcessError(program: program, errorNumber: error.number)
        }
    }
}

/// The error of starting a program.
public struct ChildProcessError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The program, as passed by the caller.
    public let program: String

    /// The `errno` of the system.
    public let errorNumber: Int32

    /// The program and the reason of the system.
    public var description: String {
        "\(program.visible(upTo: 500)) cannot be started: \(String(cString: strerror(errorNumber)))"
    }
}

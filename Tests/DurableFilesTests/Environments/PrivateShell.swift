import Glibc
import TestSupport
import Testing

/// A shell of root with its own mount and PID namespaces, in its own directory. Its mounts and processes end with
/// it, also if the test is killed.
///
/// Scripts have to end by themselves, and their standard input is empty.
final class PrivateShell {
    let folder: TemporaryFolder
    private let process: RunningProgram

    /// The default backup directory; any user may create it.
    static let backups = "state/durable-files"
    private static let terminator = "=== ended with "

    /// `put` creates the file of a test, with owner, permissions and an attribute that have to be kept.
    private static let setup = """
        umask 022
        PATH=$PATH:/usr/sbin:/sbin
        unset STATE_DIRECTORY
        export XDG_STATE_HOME="$PWD/state"
        chmod 755 . && mkdir home state there && chmod 1777 home state || exit
        export HOME="$PWD/home"
        put() {
            printf 'the old version\\n' > "$1" && chmod 640 "$1" && chown "${2-1001:1002}" "$1" || return
            setfattr -n user.note -v kept "$1" 2>/dev/null || true
        }
        """

    init() throws {
        folder = try TemporaryFolder()
        process = try Programs.unshare.program.start(
            ["--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc", "/bin/sh"],
            in: folder, input: .lines)
        // Another user may not have access to the build directory.
        let probe = Program.built("ReplaceProbe").path
        try process.say(Self.setup)
        try run("ln '\(probe)' probe 2>/dev/null || cp '\(probe)' probe")
    }

    /// Runs a script that has to succeed, and returns its output.
    @discardableResult
    func run(_ script: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        let result = try self.result(of: script)
        try #require(result.code == 0, "\(script)\n\(result.output)", sourceLocation: sourceLocation)
        return result.output
    }

    /// Returns the exit code, and standard output and error without the last line break.
    func result(of script: String) throws -> (code: Int32, output: String) {
        try process.say("{\n\(script)\n} </dev/null 2>&1; printf '\\n\(Self.terminator)%d\\n' $?")
        var output = ""
        while let line = try process.line(within: .seconds(120)) {
            if line.hasPrefix(Self.terminator), let code = Int32(line.dropFirst(Self.terminator.count)) {
                while output.last == "\n" { output.removeLast() }
                return (code, output)
            }
            output += "\(line)\n"
        }
        throw TestSupportError("the shell ended: \(try process.readMessages())")
    }

    /// Ends the shell and checks that nothing of it is left.
    func end() throws {
        let result = try process.end()
        #expect(result.code == 0 && result.messages == "")
        let (path, mounts) = (folder.path, "/proc/self/mountinfo")
        #expect(try !String(decoding: Descriptor.contents(of: mounts), as: UTF8.self).contains(path))
        try eventually("loop devices are released") { try LoopDevices.files().allSatisfy { !$0.hasPrefix(path) } }
    }
}

extension PrivateShell {
    /// The user who runs the probe.
    enum User: Sendable {
        case root
        /// An unrelated user: UID 1234, GID 1234.
        case stranger
        /// The same user in an additional group.
        case member(of: Int)

        fileprivate var command: String {
            let stranger = "setpriv --reuid 1234 --regid 1234"
            return switch self {
            case .root: ""
            case .stranger: "\(stranger) --clear-groups"
            case .member(let group): "\(stranger) --groups \(group)"
            }
        }
    }

    /// The command that runs the probe; `settings` are environment variables.
    func probe(_ arguments: String, as user: User = .root, _ settings: String = "") -> String {
        "\(settings.isEmpty ? "" : "env \(settings)") \(user.command) ./probe \(arguments)"
    }

    /// Returns the metadata of a file as `stat` and `getfattr` print it.
    func metadataSummary(of file: String) throws -> String {
        try run("stat -c '%u:%g %a %n' \(file); getfattr --dump --match=- --absolute-names \(file)")
    }

    /// Returns all names in a directory, sorted.
    func names(in folder: String) throws -> [String] {
        try run("ls -A \(folder)").split(separator: "\n").map(String.init).sorted()
    }

    /// Returns the backup copies; empty if the directory does not exist.
    func backups() throws -> [String] {
        try result(of: "test -d \(Self.backups)").code == 0 ? names(in: Self.backups) : []
    }
}

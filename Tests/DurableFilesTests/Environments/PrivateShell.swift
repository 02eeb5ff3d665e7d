import Glibc
import TestSupport
import Testing

/// A shell of root with mounts and processes of its own, in a folder of its own: whatever it mounts and starts ends with
/// it, also when the test is killed.
///
/// What it runs must come to an end by itself, and finds nothing at its standard input.
final class PrivateShell {
    let folder: TemporaryFolder
    private let process: RunningProgram

    /// Where copies go of files whose own folder takes none; whoever runs the probe may create it.
    static let copies = "state/durable-files"
    private static let sign = "=== ended with "

    /// `put` creates the file of a test, with an owner, rights and an attribute that have to stay.
    private static let beginning = """
        umask 022
        PATH=$PATH:/usr/sbin:/sbin
        unset STATE_DIRECTORY
        export XDG_STATE_HOME="$PWD/state"
        chmod 755 . && mkdir state there && chmod 777 state || exit
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
        // Another user may not be able to enter the folder where the tests were built.
        let probe = Program.built("ReplaceProbe").path
        try process.say(Self.beginning)
        try run("ln '\(probe)' probe 2>/dev/null || cp '\(probe)' probe")
    }

    /// Runs what must succeed, and returns what it printed.
    @discardableResult
    func run(_ script: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        let result = try self.result(of: script)
        try #require(result.code == 0, "\(script)\n\(result.output)", sourceLocation: sourceLocation)
        return result.output
    }

    /// What it printed, for people and otherwise, without the last line break, and the exit code.
    func result(of script: String) throws -> (code: Int32, output: String) {
        try process.say("{\n\(script)\n} </dev/null 2>&1; printf '\\n\(Self.sign)%d\\n' $?")
        var output = ""
        while let line = try process.line(within: .seconds(120)) {
            if line.hasPrefix(Self.sign), let code = Int32(line.dropFirst(Self.sign.count)) {
                while output.last == "\n" { output.removeLast() }
                return (code, output)
            }
            output += "\(line)\n"
        }
        throw SystemRefusal("the shell ended: \(try process.readMessages())")
    }

    /// Ends it, and sees that nothing of it is left.
    func end() throws {
        let result = try process.end()
        #expect(result.code == 0 && result.messages == "")
        let (path, mounts) = (folder.path, "/proc/self/mountinfo")
        #expect(try !String(decoding: Descriptor.contents(of: mounts), as: UTF8.self).contains(path))
        try eventually("loop devices are given back") { try LoopDevices.files().allSatisfy { !$0.hasPrefix(path) } }
    }
}

extension PrivateShell {
    /// Who runs the probe.
    enum User: Sendable {
        case root
        /// Nobody in particular: 1234, of the group 1234.
        case stranger
        /// The same, in one more group.
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

    /// The command that runs the probe; `settings` are variables of the environment.
    func probe(_ arguments: String, as user: User = .root, _ settings: String = "") -> String {
        "\(settings.isEmpty ? "" : "env \(settings)") \(user.command) ./probe \(arguments)"
    }

    /// What belongs to a file beside its bytes, as far as `getfattr` knows.
    func portrait(of file: String) throws -> String {
        try run("stat -c '%u:%g %a %n' \(file); getfattr --dump --match=- --absolute-names \(file)")
    }

    /// All names in a folder, in order.
    func names(in folder: String) throws -> [String] {
        try run("ls -A \(folder)").split(separator: "\n").map(String.init).sorted()
    }

    /// Nothing when there never was one.
    func copies() throws -> [String] {
        try result(of: "test -d \(Self.copies)").code == 0 ? names(in: Self.copies) : []
    }
}

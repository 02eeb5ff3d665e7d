import Foundation
import Glibc

/// The environment of a scenario: a directory on a disk, an empty home directory, and a shell with the functions of the
/// format.
package final class ScenarioEnvironment {
    /// The parent of the directories. Not /tmp, which editors treat differently and which need not be on a disk.
    package static let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"

    package let folder: TemporaryFolder
    /// The home directory, for files outside the scenario.
    package let home: TemporaryFolder
    private let otherFileSystem: TemporaryFolder?
    private let file: String
    /// A process whose mount namespace the shell enters.
    package var namespace: Int32?

    package init(for scenario: Scenario? = nil) throws {
        file = scenario?.file ?? "server.json"
        folder = try TemporaryFolder(in: Self.parent)
        home = try TemporaryFolder(in: Self.parent)
        otherFileSystem =
            scenario?.needs(.otherFileSystem) == true
            ? try TemporaryFolder(in: Requirement.otherFileSystemPath) : nil
    }

    /// Runs shell commands until they exit.
    package func run(_ lines: String, number: Int? = nil) throws {
        try start(lines, number: number).requireSuccess(of: lines)
    }

    /// Starts shell commands.
    package func start(_ lines: String, number: Int? = nil) throws -> RunningProgram {
        let environment = environment(number: number)
        guard let namespace else {
            return try Program.shell.start(
                ["-eu", "-c", "\(Self.shellFunctions)\n\(lines)"], in: folder, environment: environment)
        }
        let options = ["--target", "\(namespace)", "--user", "--mount", "--preserve-credentials"]
        let shell = ["sh", "-eu", "-c", "cd '\(folder.path)'\n\(Self.shellFunctions)\n\(lines)"]
        return try Programs.nsenter.program.start(options + shell, in: folder, environment: environment)
    }

    private func environment(number: Int?) -> [String: String] {
        var environment = [
            "FILE": file,
            "HOME": home.path, "TMPDIR": home.path, "XDG_CONFIG_HOME": home.path, "XDG_RUNTIME_DIR": home.path,
            "LC_ALL": "C.UTF-8", "TERM": "xterm", "EMACSLOADPATH": "", "PYTHONDONTWRITEBYTECODE": "1",
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "gc.auto",
            "GIT_CONFIG_VALUE_0": "0", "GIT_CONFIG_KEY_1": "maintenance.auto", "GIT_CONFIG_VALUE_1": "false",
            "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
            "GIT_COMMITTER_EMAIL": "a@example.org",
        ]
        environment["ELSEWHERE"] = otherFileSystem?.path
        environment["N"] = number.map(String.init)
        return environment
    }

    private static let shellFunctions = #"""
        put() { printf '{ "port": %s }\n' "$1"; }
        reach() { until [ -e "$1" ]; do sleep 0.01; done; }
        # Closes descriptor 3, by which the test waits for all processes of the run.
        daemon() { "$@" 3>&-; }
        unmount() { until umount "$1" 2> /dev/null || ! mountpoint --quiet "$1"; do sleep 0.01; done; }
        inode() { stat --format %i server.json; }
        replaces() {
            old=$(inode)
            "$@"
            [ "$(inode)" != "$old" ] || { echo "the file was not replaced: $*" >&2; return 1; }
        }
        keeps() {
            old=$(inode)
            "$@"
            [ "$(inode)" = "$old" ] || { echo "the file was replaced: $*" >&2; return 1; }
        }
        """#

    /// The names of the processes that were started here and still run.
    package func processesLeft() throws -> [String] {
        let mark = Array("HOME=\(home.path)\0".utf8)
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }.compactMap {
            // The process may have ended.
            guard let environment = try? Descriptor.contents(of: "/proc/\($0)/environ") else { return nil }
            guard environment.firstRange(of: mark) != nil else { return nil }
            return (try? Descriptor.contents(of: "/proc/\($0)/comm")).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}

extension RunningProgram {
    /// Waits until it exits; throws unless the exit code is 0.
    package func requireSuccess(of lines: String) throws {
        let result = try end(within: .seconds(60))
        if result.code == 0 { return }
        throw TestSupportError("exit \(result.code) of: \(lines)\n\(result.messages)\(result.output)")
    }
}

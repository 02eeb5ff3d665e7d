import Foundation
import Glibc

/// Where a scenario is played: a folder on a disk, a home that holds nobody's settings, and a shell that knows the words
/// of the format.
package final class ScenarioPlace {
    /// Editors treat the usual temporary folders in another way, and those need not be on a disk.
    package static let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"

    package let folder: TemporaryFolder
    /// Where what does not belong to the scenario can lie.
    package let home: TemporaryFolder
    private let elsewhere: TemporaryFolder?
    private let file: String
    /// A process that has the mounts which the shell is to have too.
    package var namespace: Int32?

    package init(for scenario: Scenario? = nil) throws {
        file = scenario?.file ?? "server.json"
        folder = try TemporaryFolder(in: Self.parent)
        home = try TemporaryFolder(in: Self.parent)
        elsewhere = scenario?.needs(.otherFileSystem) == true ? try TemporaryFolder(in: Need.elsewhere) : nil
    }

    /// Runs lines of shell to their end.
    package func run(_ lines: String, number: Int? = nil) throws {
        try start(lines, number: number).requireSuccess(of: lines)
    }

    /// Starts lines of shell.
    package func start(_ lines: String, number: Int? = nil) throws -> RunningProgram {
        let environment = environment(number: number)
        guard let namespace else {
            return try Program.shell.start(
                ["-eu", "-c", "\(Self.words)\n\(lines)"], in: folder, environment: environment)
        }
        let place = ["--target", "\(namespace)", "--user", "--mount", "--preserve-credentials"]
        let shell = ["sh", "-eu", "-c", "cd '\(folder.path)'\n\(Self.words)\n\(lines)"]
        return try Programs.nsenter.program.start(place + shell, in: folder, environment: environment)
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
        environment["ELSEWHERE"] = elsewhere?.path
        environment["N"] = number.map(String.init)
        return environment
    }

    private static let words = #"""
        put() { printf '{ "port": %s }\n' "$1"; }
        reach() { until [ -e "$1" ]; do sleep 0.01; done; }
        # The third descriptor tells that something of the run goes on.
        daemon() { "$@" 3>&-; }
        unmount() { until umount "$1" 2> /dev/null || ! mountpoint --quiet "$1"; do sleep 0.01; done; }
        inode() { stat --format %i server.json; }
        replaces() {
            old=$(inode)
            "$@"
            [ "$(inode)" != "$old" ] || { echo "the same file is there: $*" >&2; return 1; }
        }
        keeps() {
            old=$(inode)
            "$@"
            [ "$(inode)" = "$old" ] || { echo "another file is there: $*" >&2; return 1; }
        }
        """#

    /// The processes that were started here and still are.
    package func processesLeft() throws -> [String] {
        let mark = Array("HOME=\(home.path)\0".utf8)
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }.compactMap {
            // One that ends meanwhile has no files any more.
            guard let environment = try? Descriptor.contents(of: "/proc/\($0)/environ") else { return nil }
            guard environment.firstRange(of: mark) != nil else { return nil }
            return (try? Descriptor.contents(of: "/proc/\($0)/comm")).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}

extension RunningProgram {
    /// Waits for its end, which must be a good one.
    package func requireSuccess(of lines: String) throws {
        let result = try end(within: .seconds(60))
        if result.code == 0 { return }
        throw SystemRefusal("exit \(result.code) of: \(lines)\n\(result.messages)\(result.output)")
    }
}

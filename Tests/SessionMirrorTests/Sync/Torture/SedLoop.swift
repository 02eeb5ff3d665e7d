import Glibc
import TestSupport
import Testing

/// Another process that adds numbered keys to a ``SharedFile`` with `sed -i`, which reads the whole
/// file and renames the edited copy over it.
struct SedLoop {
    private let program: RunningProgram

    private static let script = #"""
        over= number=0
        trap 'over=1' TERM
        while [ -z "$over" ]; do
            number=$((number + 1))
            $LOCK sed -i "s/^  \"end\"/  \"k$number\": $number,\n&/" "$1" || exit 1
            sleep "$PAUSE"
        done
        echo "$number"
        """#

    /// Starts the loop, with the lock of the directory as taken by `flock`, or without it.
    init(_ file: SharedFile, isLocking: Bool) throws {
        // A writer without the lock has to leave other programs enough time to read the file, save and replace it.
        let pause = isLocking ? "0.01" : Sanitizer.isActive ? "0.5" : "0.05"
        let environment = ["LOCK": isLocking ? "flock ." : "", "PAUSE": pause]
        program = try Program.shell.start(
            ["-c", Self.script, "sh", SharedFile.name], in: file.folder, environment: environment)
    }

    /// Ends the loop after its current edit, and returns the number of keys that it has added.
    func end() throws -> Int {
        program.send(SIGTERM)
        let result = try program.end(within: .seconds(60))
        #expect(result.code == 0 && result.messages == "", "\(result)")
        return Int(result.output.dropLast()) ?? 0
    }
}

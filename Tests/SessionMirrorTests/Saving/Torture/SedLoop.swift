import Glibc
import TestSupport
import Testing

/// Another process that adds one numbered key after the other to a ``SharedFile`` with `sed -i`, which reads all of the
/// file and renames what it made of it over it.
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

    /// Under the lock of the folder, as `flock` takes it, or without.
    init(_ file: SharedFile, isLocking: Bool) throws {
        let manner = isLocking ? ["LOCK": "flock .", "PAUSE": "0.01"] : ["LOCK": "", "PAUSE": "0.05"]
        program = try Program.shell.start(
            ["-c", Self.script, "sh", SharedFile.name], in: file.folder, environment: manner)
    }

    /// Lets it end what it has begun; how many keys it has added.
    func end() throws -> Int {
        program.send(SIGTERM)
        let result = try program.end(within: .seconds(60))
        #expect(result.code == 0 && result.messages == "", "\(result)")
        return Int(result.output.dropLast()) ?? 0
    }
}

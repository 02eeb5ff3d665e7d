import FileScripts
import LosslessJSON
import SessionMirror

/// A process that may be killed at any moment, and says what is in the file for sure.
///
/// After its first commit it waits for a line, so that whoever started it can look at the folder in peace. Before each
/// of the others it also changes a value in memory only, which the commit takes with it.
struct CommitProbe {
    let path: String
    let name: String

    func run(from first: Int) throws {
        let session = try Session(JSON.object([:]), at: path)
        try session.commitBlocking { $0["\(name)_\(first)"] = JSON(first) }
        say("\(first)")
        waitForLine()
        for number in (first + 1)... {
            try session.update { $0["latest"] = JSON(number) }
            try session.commitBlocking { $0["\(name)_\(number)"] = JSON(number) }
            say("\(number)")
        }
    }
}

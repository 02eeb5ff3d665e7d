import FileScripts
import LosslessJSON
import SessionMirror

/// A process that commits until it is killed, and prints the number of each key that is in the file.
///
/// After its first commit it waits for a line, so that the test can check the directory first. Before each later commit
/// it also changes a value in memory only, which the commit includes.
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

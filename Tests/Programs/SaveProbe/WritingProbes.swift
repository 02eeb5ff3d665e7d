import FileScripts
import Glibc
import LosslessJSON
import SessionMirror

/// One of several processes that increment a shared counter.
struct CountProbe {
    struct Counter: Codable, Sendable {
        var count = 0
    }

    let path: String

    func run(_ count: Int) throws {
        var options = SessionOptions()
        // Other programs add keys.
        options.unknownKeys = .ignore
        let session = try Session(Counter(), at: path, options: options)
        for _ in 0..<count { try session.commitBlocking { $0.count += 1 } }
        try session.closeBlocking()
    }
}

/// A process that updates one key after the other in memory, and lets the session save them.
struct UpdateProbe {
    let path: String
    let name: String

    func run(_ count: Int) throws {
        var options = SessionOptions()
        // Short delays, for many saves of several updates each while further updates are made.
        (options.savingDelay, options.savingLimit) = (.milliseconds(10), .milliseconds(50))
        let session = try Session(JSON.object([:]), at: path, options: options)
        for number in 0..<count {
            try session.update { $0["\(name)_\(number)"] = JSON(number) }
            usleep(.random(in: 0...20_000))
        }
        try session.closeBlocking()
        say("saves \(session.mirror.metrics.saves)")
    }
}

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

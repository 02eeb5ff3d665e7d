import FileScripts
import Glibc
import LosslessJSON
import SessionMirror

/// A process that adds elements to a set, a log and a list of objects, and lets the session save and merge them.
///
/// Prints `saved` after its last save and waits for a line, so that the other processes have saved as well. Then merges
/// the file, and prints the numbers of elements that it has in memory and of conflicts.
struct AppendProbe {
    struct Arrays: Codable, Sendable {
        var peers: [String] = []
        var log: [String] = []
        var servers: [Server] = []

        struct Server: Codable, Sendable {
            var id: String
            var number: Int
        }
    }

    let path: String
    let name: String

    func run(_ count: Int) throws {
        var options = SessionOptions()
        // Short delays, for many saves of several updates each while further updates are made.
        (options.savingDelay, options.savingLimit) = (.milliseconds(10), .milliseconds(50))
        options.arrays = ["peers": .union, "log": .append, "servers": .byIdentity("id")]
        let session = try Session(Arrays(), at: path, options: options)
        for number in 0..<count {
            try session.update { arrays in
                arrays.peers.append("\(name)_\(number)")
                arrays.log.append("\(name)_\(number)")
                arrays.servers.append(Arrays.Server(id: "\(name)_\(number)", number: number))
            }
            usleep(.random(in: 0...20_000))
        }
        try session.flushBlocking()
        say("saved")
        waitForLine()
        try session.commitBlocking { _ in }
        let counts = [session.peers.count, session.log.count, session.servers.count]
        say("\(counts), \(session.mirror.metrics.conflicts) conflicts")
        try session.closeBlocking()
    }
}

import DurableFiles
import FileScripts
import LosslessJSON
import SessionMirror

/// Opens a session of each file, each with a subscriber, and prints every change. Answers `loads` on its input with the
/// number of loads of all sessions.
///
/// Prints `begin` before and `opened` after opening the sessions, then waits for a line, so that a test can measure the
/// process.
enum CrowdProbe {
    static func run(_ paths: [String]) throws {
        // Takes the memory that only the first session costs.
        let first = try Session(Tenant(), at: paths[0])
        say("begin")
        waitForLine()
        var sessions: [Session<Tenant>] = []
        var tokens: [Subscription] = []
        for (index, path) in paths.enumerated() {
            let session = try Session(Tenant(), at: path)
            guard session.number == index else { fail("\(path) holds \(session.number), not \(index)") }
            sessions.append(session)
            tokens.append(session.observe(\.number) { say("\(index): \($0.old) -> \($0.new)") })
        }
        say("opened")
        while let line = readLine() {
            if line == "loads" { say("loads \(sessions.reduce(0) { $0 + $1.mirror.metrics.loads })") }
        }
        withExtendedLifetime((first, sessions, tokens)) {}
    }
}

/// Reads the same files as ``CrowdProbe`` without sessions, and keeps the same data: text, tree and value.
enum BareProbe {
    private final class LoadedFile {
        let document: JSONDocument
        let tenant: Tenant

        init(_ path: String) throws {
            document = try JSONDocument(parsing: try DurableFile(path).read(limit: 1 << 20).bytes)
            tenant = try document.decode(Tenant.self)
        }
    }

    static func run(_ paths: [String]) throws {
        let first = try LoadedFile(paths[0])
        say("begin")
        waitForLine()
        var all: [LoadedFile] = []
        for path in paths { all.append(try LoadedFile(path)) }
        say("opened")
        waitForLine()
        withExtendedLifetime((first, all)) {}
    }
}

/// The content of each file.
struct Tenant: Codable, Sendable {
    var number = 0
    var name = ""
    var limits = Limits()

    struct Limits: Codable, Sendable {
        var requests = 100
        var burst = 10
    }
}

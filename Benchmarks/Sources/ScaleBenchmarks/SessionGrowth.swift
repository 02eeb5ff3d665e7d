import Foundation
import ManualTiming
import SessionMirror

/// Measures opening a number of sessions of small files in one directory, and saving one among them. The files are in
/// memory, to measure the work and not the disk.
final class SessionGrowth {
    private let size: Size
    private let folder = TemporaryFolder(in: TemporaryFolder.memory)
    private let paths: [String]

    private struct Tenant: Codable, Sendable {
        var number = 0
        var name = "a tenant"
        var isEnabled = true
    }

    init(_ sessions: Int) throws {
        size = Size(sessions, .sessions)
        paths = (0..<sessions).map { [folder] in folder.path(of: "tenant-\($0).json") }
        for path in paths { try JSONEncoder().encode(Tenant()).write(to: URL(filePath: path)) }
    }

    func run(into growth: inout Growth) throws {
        try growth.measure(
            "open sessions", size,
            [
                .init("ours") {
                    let begin = now()
                    let sessions = try self.opened()
                    let nanoseconds = Double(now() - begin)
                    for session in sessions { try session.closeBlocking() }
                    return nanoseconds
                },
                .init("JSONDecoder") {
                    try time { try self.paths.map { try JSONDecoder().decode(Tenant.self, from: Data(readFile($0))) } }
                },
            ])
        try measureSaving(into: &growth)
    }

    private func measureSaving(into growth: inout Growth) throws {
        let sessions = try opened()
        // In a folder of its own: a save searches a directory that others have changed for what a killed save left there.
        let other = TemporaryFolder(in: TemporaryFolder.memory)
        let minimal = MinimalReplacement(path: other.path(of: "least.json"))
        let bytes = readFile(paths[0])
        var number = 0
        try growth.measure(
            "save one of the sessions", size,
            [
                .init("ours") {
                    number += 7_919
                    let session = sessions[number % sessions.count]
                    return try time {
                        try session.update { $0.number += 1 }
                        try session.flushBlocking()
                    }
                },
                .init("bare minimum") { time { minimal.replace(with: bytes, waits: true) } },
            ])
        for session in sessions { try session.closeBlocking() }
    }

    private func opened() throws -> [Session<Tenant>] { try paths.map { try Session(Tenant(), at: $0) } }
}

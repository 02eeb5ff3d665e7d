import CAllocationCount
import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Sessions that came and went") struct LivesTests {
    // In a process of its own: here others hold memory meanwhile.
    @Test("leave nothing in memory, whatever happened to them and however they ended")
    func nothing() async {
        await #expect(processExitsWith: .success) {
            let life = try Life()
            for _ in 0..<3 { try life.liveInEveryWay() }
            HeldMemory.count()
            let before = HeldMemory.bytes
            for _ in 0..<10 { try life.liveInEveryWay() }
            eventually("less than one version of every third life is left") {
                HeldMemory.bytes - before < 10 * Life.bytes
            }
            eventually("the sanitizer finds nothing that is lost") { !Sanitizer.findsLeaks }
        }
    }
}

/// What a process holds.
private enum HeldMemory {
    static func count() { allocation_count_set_enabled(true) }

    static var bytes: Int { Int(allocation_count_of_process().live_bytes) }
}

/// Two sessions of a file, from the first look to the end.
private struct Life {
    struct Settings: Codable, Sendable {
        var port = 1
        var names: [String: String] = [:]
    }

    enum End: CaseIterable {
        case closed, released, releasedWithChanges
    }

    /// At least so many take the values of the file in memory.
    static let bytes = 40_000

    private let folder: TemporaryFolder
    private let name = "settings.json"

    init() throws { folder = try TemporaryFolder() }

    func liveInEveryWay() throws { for end in End.allCases { try live(to: end) } }

    private func live(to end: End) throws {
        try folder.write(name, text(port: 1))
        var options = SessionOptions()
        options.settlingTime = .milliseconds(1)
        let path = folder.path(of: name)
        let typed = try Session(Settings(), at: path, options: options)
        let tree = try Session<JSON>([:], at: path, options: options)
        let tokens = [typed.observe(\.port) { _ in }, tree.observe("/port") { _ in }, tree.mirror.observe { _ in }]
        try withExtendedLifetime(tokens) {
            try typed.update { $0.port = 2 }
            try tree.commitBlocking { $0["count"] = 1 }
            try typed.flushBlocking()
            try folder.write(name, "{ broken")
            eventually("it is broken") { typed.mirror.status.content != .good && tree.mirror.status.content != .good }
            try folder.write(name, text(port: 3))
            eventually("it is mended") { typed.port == 3 && tree["port"]?.int == 3 }
        }
        switch end {
        case .closed:
            try typed.close()
            try tree.close()
        case .released: break
        case .releasedWithChanges: try typed.update { $0.port = 4 }
        }
    }

    private func text(port: Int) -> String {
        let names = (0..<500).map { "    \"name \($0)\": \"the value of number \($0)\"" }.joined(separator: ",\n")
        return "{\n  \"port\": \(port), // by hand\n  \"names\": {\n\(names)\n  }\n}\n"
    }
}

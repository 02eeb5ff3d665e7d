import CAllocationCount
import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Memory of ended sessions") struct SessionLeakTests {
    // In a process of its own, because other tests allocate memory meanwhile.
    @Test("Sessions leave no memory behind, whatever happened to them and however they ended")
    func nothing() async {
        await #expect(processExitsWith: .success) {
            var use = try SessionUse()
            for _ in 0..<3 { try use.runAll() }
            HeldMemory.count()
            let before = HeldMemory.bytes
            for _ in 0..<10 { try use.runAll() }
            eventually("less memory than one version per three uses is left") {
                HeldMemory.bytes - before < 10 * SessionUse.bytes
            }
            eventually("the sanitizer finds no leak") { !Sanitizer.findsLeaks }
        }
    }
}

/// The heap memory of this process.
private enum HeldMemory {
    static func count() { allocation_count_set_enabled(true) }

    static var bytes: Int { Int(allocation_count_of_process().live_bytes) }
}

/// Opens two sessions of a file, uses them, and ends them.
private struct SessionUse {
    struct Settings: Codable, Sendable {
        var port = 1
        var names: [String: String] = [:]
    }

    enum End: CaseIterable {
        case closed, released, releasedWithChanges
    }

    /// The minimum number of bytes that the values of the file take in memory.
    static let bytes = 40_000

    private let folder: TemporaryFolder
    private let name = "settings.json"
    /// The port that was written last. Each is new: a session that was released may still exist, and would take a port
    /// that it has overwritten for a stale write, and restore its own.
    private var port = 1_000

    init() throws { folder = try TemporaryFolder() }

    private mutating func nextPort() -> Int {
        port += 1
        return port
    }

    mutating func runAll() throws {
        for end in End.allCases { try run(endingBy: end) }
        // The change of a released session is saved later; it would replace those of the next ones.
        try eventually("the last change is saved") { try folder.read(name).contains("\"port\": \(port),") }
    }

    private mutating func run(endingBy end: End) throws {
        try folder.write(name, text(port: nextPort()))
        var options = SessionOptions()
        options.settlingTime = .milliseconds(1)
        let path = folder.path(of: name)
        let typed = try Session(Settings(), at: path, options: options)
        let tree = try Session<JSON>([:], at: path, options: options)
        let tokens = [typed.observe(\.port) { _ in }, tree.observe("/port") { _ in }, tree.mirror.observe { _ in }]
        let (updated, repaired, last) = (nextPort(), nextPort(), nextPort())
        try withExtendedLifetime(tokens) {
            try typed.update { $0.port = updated }
            try tree.commitBlocking { $0["count"] = 1 }
            try typed.flushBlocking()
            try folder.write(name, "{ broken")
            eventually("both sessions report the invalid file") {
                typed.mirror.status.content != .good && tree.mirror.status.content != .good
            }
            try folder.write(name, text(port: repaired))
            eventually("both sessions load the repaired file") {
                typed.port == repaired && tree["port"]?.int == repaired
            }
        }
        switch end {
        case .closed:
            try typed.closeBlocking()
            try tree.closeBlocking()
        case .released: break
        case .releasedWithChanges: try typed.update { $0.port = last }
        }
    }

    private func text(port: Int) -> String {
        let names = (0..<500).map { "    \"name \($0)\": \"the value of number \($0)\"" }.joined(separator: ",\n")
        return "{\n  \"port\": \(port), // by hand\n  \"names\": {\n\(names)\n  }\n}\n"
    }
}

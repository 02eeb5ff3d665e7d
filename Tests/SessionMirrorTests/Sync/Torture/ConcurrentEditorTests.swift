import Locking
import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

/// A person edits the file in vim while a service changes ten values a second, for three seconds or as many as
/// SESSIONMIRROR_EDITOR_SECONDS says.
@Suite("Saving while a person has an editor open", .needs(.vim, .script)) struct ConcurrentEditorTests {
    private static let seconds = environmentNumber("SESSIONMIRROR_EDITOR_SECONDS") ?? 3
    private static let keyCount = 40

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let keys = (0..<Self.keyCount).map { "  \"k\($0)\": -1, // of the service\n" }.joined()
        try folder.write("a.json", "// the person's\n{\n\(keys)  \"title\": \"old\"\n}\n")
    }

    @Test("A person's change saved in vim is kept, and each value of the service is kept or reported as lost")
    func open() throws {
        let session = try Session<JSON>([:], at: folder.path(of: "a.json"))
        let problems = Received<SessionProblem>()
        let token = session.mirror.observe { if let problem = $0.problem { problems.add(problem) } }
        // vim asks on a terminal whether to overwrite a changed file. In temporary directories it
        // makes no backup by default.
        let vim = try Programs.script.program.start(
            ["-qec", "vim -u NONE -i NONE -N -n -c 'set backupskip=' a.json", "/dev/null"], in: folder, input: .lines)
        _ = try vim.line(with: "the person's")

        let last = try update(session)
        // On a busy machine vim may be asking something else when the command is typed. It is not typed again after vim
        // has saved: that would be another overwrite.
        var nextCommand = Instant.now
        eventually("the person's change is loaded") {
            if nextCommand <= .now, let text = try? folder.read("a.json"), !text.contains("new") {
                try? vim.say("\u{1B}:%s/old/new/e\n:w!")
                nextCommand = .now + .seconds(10)
            }
            try? vim.say("y")
            return session["title"] == "new"
        }
        try vim.say("\u{1B}:q!")
        #expect(try vim.end().code == 0)
        try session.closeBlocking()
        withExtendedLifetime(token) {}
        eventually("all conflicts are reported") { session.mirror.metrics.conflicts == problems.items.count }
        try check(last, problems.items)
    }

    /// Makes ten updates a second with new values, and returns the last value of each key.
    private func update(_ session: Session<JSON>) throws -> [String: Int] {
        var last: [String: Int] = [:]
        let begin = Instant.now
        for number in 0..<Self.seconds * 10 {
            let key = "k\(number % Self.keyCount)"
            try session.update { $0[key] = JSON(number) }
            last[key] = number
            _ = CountingSemaphore().wait(until: begin + .milliseconds(100 * (number + 1)))
        }
        return last
    }

    private func check(_ last: [String: Int], _ problems: [SessionProblem]) throws {
        let text = try folder.read("a.json")
        let file = try JSON(parsing: text)
        #expect(file["title"] == "new")
        #expect(text.hasPrefix("// the person's\n"))
        #expect(text.ranges(of: "// of the service").count == Self.keyCount)
        var (kept, restored, lost) = (0, 0, 0)
        for (key, value) in last {
            let named = problems.filter { $0.path == JSONPointer([key]) }
            if file[key]?.int == value {
                kept += 1
                restored += named.count
                #expect(
                    named.allSatisfy { $0.code.name == "restored" && $0.code.values?.ours?.int == value },
                    "\(key): \(named)")
                #expect(named.count <= 1, "\(key)")
            } else {
                lost += 1
                #expect(named.count == 1 && named.first?.code.values?.ours?.int == value, "\(key): \(named)")
                #expect(named.allSatisfy { ["reverted", "conflict"].contains($0.code.name) }, "\(key): \(named)")
            }
        }
        #expect(problems.allSatisfy { $0.path.map { last[$0.dotted] != nil } ?? false })
        print(
            "vim open for \(Self.seconds) s: \(kept) keys hold their last value, of which \(restored) were restored"
        )
        print("\(lost) keys have the value that vim read, and each loss was reported")
    }
}

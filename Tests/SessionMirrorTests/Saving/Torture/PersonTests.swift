import Glibc
import Locking
import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

/// A person who has the file open in vim while a service changes ten values a second, for three seconds here and for
/// two minutes in `make torture-saving`.
@Suite("A person with an editor open, Torture", .needs(.vim, .script)) struct PersonTests {
    private static let seconds = getenv("SESSIONMIRROR_PERSON").flatMap { Int(String(cString: $0)) } ?? 3
    private static let keyCount = 40

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let keys = (0..<Self.keyCount).map { "  \"k\($0)\": -1, // of the service\n" }.joined()
        try folder.write("a.json", "// the person's\n{\n\(keys)  \"title\": \"old\"\n}\n")
    }

    @Test("what they save is there, and each value of the service is too, or is named with what was lost")
    func open() throws {
        let session = try Session<JSON>([:], at: folder.path(of: "a.json"))
        let problems = Received<Problem>()
        let token = session.mirror.observe { if let problem = $0.problem { problems.add(problem) } }
        // A terminal, since vim asks there whether it is to write though the file has changed. In temporary folders it
        // would make no backup by itself.
        let vim = try Programs.script.program.start(
            ["-qec", "vim -u NONE -i NONE -N -n -c 'set backupskip=' a.json", "/dev/null"], in: folder, input: .lines)
        _ = try vim.line(with: "the person's")

        let last = try serve(session)
        try vim.say(":%s/old/new/\n:w!")
        eventually("the person's change arrives") {
            try? vim.say("y")
            return session["title"] == "new"
        }
        try vim.say("\u{1B}:q!")
        #expect(try vim.end().code == 0)
        try session.close()
        withExtendedLifetime(token) {}
        eventually("all is told") { session.mirror.metrics.conflicts == problems.items.count }
        try check(last, problems.items)
    }

    /// Ten updates a second, a value of its own each; what each key was given last.
    private func serve(_ session: Session<JSON>) throws -> [String: Int] {
        var last: [String: Int] = [:]
        let begin = Moment.now
        for number in 0..<Self.seconds * 10 {
            let key = "k\(number % Self.keyCount)"
            try session.update { $0[key] = JSON(number) }
            last[key] = number
            _ = Parking().sleep(until: begin + .milliseconds(100 * (number + 1)))
        }
        return last
    }

    private func check(_ last: [String: Int], _ problems: [Problem]) throws {
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
                #expect(named.allSatisfy { $0.code == .restored && $0.values?.ours?.int == value }, "\(key): \(named)")
                #expect(named.count <= 1, "\(key)")
            } else {
                lost += 1
                #expect(named.count == 1 && named.first?.values?.ours?.int == value, "\(key): \(named)")
                #expect(named.allSatisfy { [.reverted, .conflict].contains($0.code) }, "\(key): \(named)")
            }
        }
        #expect(problems.allSatisfy { $0.path.map { last[$0.dotted] != nil } ?? false })
        print(
            "vim open for \(Self.seconds) s: \(kept) keys hold their last value, of which \(restored) were put in again"
        )
        print("\(lost) are what they were when vim read them, each named with what was lost")
    }
}

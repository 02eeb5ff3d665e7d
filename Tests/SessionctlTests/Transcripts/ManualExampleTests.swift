import TestSupport
import Testing

@testable import sessionctl

@Suite("Examples of manual pages")
struct ManualExampleTests {
    /// The arguments of `sessionctl manual`: the page of the program, of the format of files, and of each command.
    private static let pages: [String] = ["", "sessionmirror"] + Command.all.map(\.name)

    private static func transcript(_ page: String) throws -> String {
        switch page {
        case "": Help.examples
        case "sessionmirror": FileFormatText.examples
        default: try #require(Command.all.first { $0.name == page }).examples
        }
    }

    private static let interactions: [String: Interaction] = [
        "sessionctl watch --count 1 server.json http": .watching(
            untilInterrupted: false, ("server.json: watching http", "sed -i s/8080/9090/ server.json"))
    ]

    @Test("Each command prints what is shown below it", arguments: pages)
    func commands(page: String) throws {
        let text = try Self.transcript(page)
        let runner = try TranscriptRunner(Self.interactions)
        let transcript = Transcript(text)
        #expect(transcript.strayLines == [] && !transcript.steps.isEmpty)
        #expect(page.isEmpty || page == "sessionmirror" || text.contains("sessionctl \(page) "))
        for step in transcript.steps {
            if let difference = try runner.difference(of: step) { Issue.record("\(page):\(difference)") }
        }
    }

    @Test("A page contains its whole transcript", .needs(.mandoc), arguments: pages)
    func rendered(page: String) throws {
        let text = try Self.transcript(page)
        let runner = try TranscriptRunner()
        let result = try runner.shell("sessionctl manual \(page) | mandoc -T utf8 -O width=120")
        // A page indents examples and shows an empty line as such.
        let lines = result.output.split(separator: "\n").map { $0.drop { $0 == " " } }
        let shown = text.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(result.code == 0 && lines.contains(shown), "\(result)")
    }

    @Test("Nothing is prepared for a command that is not shown") func unusedInteractions() throws {
        let shown = try Self.pages.flatMap { Transcript(try Self.transcript($0)).steps.map(\.command) }
        #expect(Self.interactions.keys.filter { !shown.contains($0) } == [])
    }
}

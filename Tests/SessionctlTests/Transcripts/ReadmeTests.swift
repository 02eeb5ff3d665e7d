import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Commands in README")
struct ReadmeTests {
    private static let folder = #filePath.components(separatedBy: "/Tests/")[0]
    private static let title = "Examples/README.md"

    private static func page(_ name: String) throws -> MarkdownPage {
        MarkdownPage(try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
    }

    /// The blocks that show the program, and those that change what later ones show.
    private static func blocks() throws -> [MarkdownPage.Block] {
        let page = try page(title)
        guard let start = page.blocks.firstIndex(where: { $0.section == "sessionctl" }) else { return [] }
        return Array(page.blocks[start...])
    }

    private static let interactions: [String: Interaction] = [
        "sessionctl edit server.json": .editing(
            "sed -i 's/8080,/,/' \"$1\"", "sed -i 's/: ,/: 8080,/' \"$1\"", answers: "e"),
        "sessionctl edit --check './service --check-settings' server.json": .editing(
            "sed -i 's/8080,/80800,/' \"$1\"", "sed -i 's/80800,/8090,/' \"$1\"", answers: "e"),
        "sessionctl watch server.json": .watching(
            ("server.json: watching", "sed -i s/8080/9090/ server.json"),
            ("server.json:4: http.port: 8080 → 9090", "sed -i s/9090,/9090/ server.json"),
            ("    ^", "sed -i s/9090/8080,/ server.json")),
        "sessionctl watch --json server.json": .watching(
            (#"{"event":"initial","#, "sed -i s/8080/9090/ server.json"),
            (#"{"event":"change","version":2,"#, "sed -i s/9090,/9090/ server.json"),
            (#"{"event":"status","watching":"live","content":"invalid"}"#, "sed -i s/9090/8080,/ server.json")),
        "sessionctl watch server.json clients.json http.port --count 2": .watching(
            untilInterrupted: false,
            ("clients.json: watching http.port", "sed -i s/7070/7171/ clients.json"),
            ("clients.json:1: http.port: 7070 → 7171", "sed -i s/8080/9090/ server.json")),
        "sessionctl watch server.json --until http.port=8080 --timeout 10": .watching(
            untilInterrupted: false, ("server.json: watching", "sed -i s/9090/8080/ server.json")),
        "sessionctl watch conf.d": .watching(
            ("conf.d/clients.json: watching", "sed -i s/7171/7272/ conf.d/clients.json"),
            ("conf.d/clients.json:1: ", "echo '{\"on\": true}' >new && mv new conf.d/new.json")),
        "sessionctl watch server.json http.port --initial --format '{time} {path} is {new}' --count 1": .watching(
            untilInterrupted: false, ("server.json: watching", "sed -i s/8080/9090/ server.json")),
        #"sessionctl watch server.json --count 1 --exec -- sh -c 'echo "now $SESSION_PATH is $SESSION_NEW"'"#:
            .watching(
                untilInterrupted: false, ("server.json: watching", "sed -i s/8080/9090/ server.json")),
        "sessionctl watch server.json --count 1 --exec -- jq -c '.changes[]'": .watching(
            untilInterrupted: false, ("server.json: watching", "sed -i s/9090/8080/ server.json")),
    ]

    /// A runner with the files that are there at the beginning of a section, beside the settings.
    private static func runner() throws -> TranscriptRunner {
        let runner = try TranscriptRunner(interactions)
        try runner.folder.write("cert.pem", "a certificate\n")
        try runner.folder.write("clients.json", "{ \"http\": { \"port\": 7070 } }\n")
        try runner.folder.write(
            "service",
            """
            #!/bin/sh
            port=$(sessionctl get "$2" http.port)
            if [ "$port" -gt 65535 ]; then echo "service: port $port is out of range" >&2; exit 1; fi

            """)
        chmod(runner.folder.path(of: "service"), 0o755)
        return runner
    }

    private static let sections =
        (try? blocks().map(\.section).reduce(into: []) { sections, section in
            if sections.last != section { sections.append(section) }
        }) ?? [String]()

    @Test("Each command prints what is shown below it", .needs(.jq), arguments: sections)
    func commands(section: String) throws {
        let runner = try Self.runner()
        for block in try Self.blocks() where block.section == section && block.kind == "console" {
            let transcript = Transcript(block.text, line: block.line)
            #expect(transcript.strayLines == [] && !transcript.steps.isEmpty, "\(Self.title):\(block.line)")
            for step in transcript.steps {
                if let difference = try runner.difference(of: step) { Issue.record("\(Self.title):\(difference)") }
            }
        }
    }

    @Test("git merges settings with the driver that is shown", .needs(.git)) func mergeDriver() throws {
        let block = try #require(try Self.blocks().first { $0.kind == "sh" })
        let runner = try Self.runner()
        let result = try runner.shell(
            """
            set -e
            exec 2>&1
            export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
            git init --quiet --initial-branch=main
            git add server.json && git commit --quiet --message=base
            git checkout --quiet -b theirs
            sessionctl set server.json http.host '"nine"' && git commit --quiet --all --message=theirs
            git checkout --quiet main
            sessionctl set server.json http.port 9090 && git commit --quiet --all --message=ours
            \(block.text)
            git merge --quiet --message=merged theirs
            sessionctl get server.json http.port http.host
            """)
        #expect(result.code == 0 && result.output.hasSuffix("9090\n\"nine\"\n"), "\(result)")
    }

    @Test("Every block that shows the program is run") func kinds() throws {
        let blocks = try Self.blocks()
        #expect(blocks.count { $0.kind == "console" } > 15)
        #expect(blocks.allSatisfy { ["console", "sh", "text"].contains($0.kind) })
        #expect(blocks.count { $0.kind == "sh" } == 1)
        // The view, which ViewTerminalTests compares.
        #expect(blocks.count { $0.kind == "text" } == 1)
        let other = try Self.page(Self.title).blocks.dropLast(blocks.count) + Self.page("README.md").blocks
        #expect(!other.contains { $0.text.contains("sessionctl") })
        // Only fences at the beginning of a line are recognized.
        #expect(try !Self.page(Self.title).prose.contains("```"))
    }

    @Test("No command is shown in the prose, where no output is compared") func prose() throws {
        for page in [try Self.page(Self.title), try Self.page("README.md")] {
            #expect(page.spans.filter { $0.contains(/sessionctl [a-z-]/) } == [])
        }
    }

    @Test("Nothing is prepared for a command that is not shown") func interactions() throws {
        let shown = try Self.blocks().flatMap { Transcript($0.text).steps.map(\.command) }
        #expect(Self.interactions.keys.filter { !shown.contains($0) } == [])
    }
}

import TestSupport
import Testing

@Suite("Transcripts of commands")
struct TranscriptTests {
    @Test("A transcript consists of commands and their output") func parsing() {
        let transcript = Transcript("$ a b\n1\n\n2\n$ c \\\n> d\n$ e\n", line: 10)
        #expect(transcript.steps.map(\.command) == ["a b", "c \\\nd", "e"])
        #expect(transcript.steps.map(\.output) == [["1", "", "2"], [], []])
        #expect(transcript.steps.map(\.line) == [10, 14, 16] && transcript.strayLines == [])
        #expect(Transcript("a\n$ b\n").strayLines == ["a"])
    }

    @Test("A page has blocks with their kinds and sections, and spans") func page() {
        let page = MarkdownPage("# A\nsome `code\nhere`\n```sh\nx `y`\n```\n## B c\n```\n1\n2\n```\n`z`\n")
        #expect(page.blocks.map(\.section) == ["A", "B c"] && page.blocks.map(\.kind) == ["sh", ""])
        #expect(page.blocks.map(\.text) == ["x `y`\n", "1\n2\n"] && page.blocks.map(\.line) == [5, 9])
        #expect(page.spans == ["code here", "z"])
    }

    @Test(
        "What differs from the output of a command is reported",
        arguments: [
            ("$ echo 1\n1\n", true), ("$ echo 1\n2\n", false), ("$ echo 1\n", false), ("$ true\n1\n", false),
            ("$ echo 1 >&2; exit 3\n1\n", true), ("$ printf 1\n1\n", false),
            ("$ echo '\"at\":1795248893391426483,'\n\"at\":1795248893391426484,\n", true),
            ("$ echo '\"at\":17952488933914264831,'\n\"at\":1795248893391426484,\n", false),
            ("$ echo '\"at\":x'\n\"at\":1795248893391426484\n", false),
        ])
    func comparing(text: String, isEqual: Bool) throws {
        let step = try #require(Transcript(text).steps.first)
        #expect(try (TranscriptRunner().difference(of: step) == nil) == isEqual)
    }

    @Test("The steps of a section see the changes of those before, and edits follow certain lines") func running()
        throws
    {
        let runner = try TranscriptRunner(["tail -n 1 -F log": .watching(("a", "echo b >>log"), ("b", "echo c >>log"))])
        for text in ["$ echo a >log\n", "$ tail -n 1 -F log\na\nb\nc\n"] {
            #expect(try runner.difference(of: Transcript(text).steps[0]) == nil)
        }
    }

    @Test("The editor runs its scripts in turn, and answers are shown after the questions") func editing() throws {
        let command = "$EDITOR x; $EDITOR y; $EDITOR z || { printf 'why: '; read answer; echo $answer$answer; }"
        let runner = try TranscriptRunner([command: .editing("echo 1 $1", "echo 2 $1", answers: "n")])
        #expect(try runner.difference(of: Transcript("$ \(command)\n1 x\n2 y\nwhy: n\nnn\n").steps[0]) == nil)
    }
}

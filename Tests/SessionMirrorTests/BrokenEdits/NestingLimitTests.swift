import TestSupport
import Testing

@Suite("Files at the nesting limit")
struct NestingLimitTests {
    @Test("A process with small default thread stacks loads a file at the nesting limit")
    func smallStacks() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.json", #"{"port": 1}"#)
        let probe = Program.built("SessionProbe").path
        let program = try Program.shell.start(
            ["-c", "ulimit -s 512 && exec '\(probe)' reports a.json"], in: folder, input: .lines)
        #expect(try program.line() == "port 1")
        let (openings, ends) = (String(repeating: "[", count: 511), String(repeating: "]", count: 511))
        try folder.write("b.json", #"{"port": 2, "levels": \#(openings)\#(ends)}"#)
        try folder.rename("b.json", to: "a.json")
        // A warning about the unknown key may come first.
        _ = try program.line(with: "port 2")
        #expect(try program.end().code == 0)
    }
}

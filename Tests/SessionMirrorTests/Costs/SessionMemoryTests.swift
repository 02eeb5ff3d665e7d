import CAllocationCount
import TestSupport
import Testing

@Suite(
    "Memory of a session with a large dictionary", .enabled(if: Thoroughness.isFull && allocation_count_is_available()))
struct SessionMemoryTests {
    /// The bytes after opening, after edits of the file, and after saves.
    private func bytes(_ count: Int, edits: Int, _ environment: [String: String] = [:]) throws -> [Int] {
        let folder = try TemporaryFolder()
        let program = Program.built("StepProbe")
        let result = try program.run(
            ["memory", "records.json", "\(count)", "\(edits)"], in: folder, environment: environment,
            limit: .seconds(600))
        #expect(result.code == 0 && result.messages.isEmpty)
        return result.output.split(separator: "\n").compactMap { Int($0) }
    }

    @Test(
        "What is remembered takes a twentieth at most; edits leave at most twice as much more, and saves a quarter",
        arguments: [1_000])
    func memory(count: Int) throws {
        let part = try bytes(count, edits: 1_000)
        // Nothing is remembered, so that more edits, each decoded in full, would only take longer.
        let full = try bytes(count, edits: 100, ["SESSIONMIRROR_IN_FULL": "1"])
        try #require(part.count == 3 && full.count == 3)
        for (part, full) in zip(part, full) { #expect(part * 20 <= full * 21, "\(part), in full \(full)") }
        #expect(part[1] <= 3 * part[0], "\(part)")
        // The text, but not its bytes a second time, nor a second tree.
        #expect(part[2] <= part[1] + part[0] / 4, "\(part)")
    }
}

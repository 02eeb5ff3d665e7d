import CAllocationCount
import TestSupport
import Testing

// A sanitizer creates threads of its own and multiplies memory usage.
@Suite("Ten thousand sessions in one process", .serialized, .enabled(if: allocation_count_is_available()))
struct CrowdTests {
    private static let count = 10_000

    @Test(
        "10,000 sessions share one thread, take one watch and 16 KB each, and an edit reloads only one",
        arguments: [1, 100])
    func crowd(folders: Int) throws {
        let files = try CrowdFiles(Self.count, folders: folders)
        let bytesOfData = try Self.growth(of: "bare", files).bytes / Self.count
        let (bytes, program) = try Self.growth(of: "crowd", files)
        #expect(bytes / Self.count - bytesOfData <= 16 << 10)

        let process = ObservedProcess(identifier: program.identifier)
        try eventually("only the main and the watching thread are left") { try process.threads().count == 2 }
        // The files, their directories, and all parent directories.
        let ancestors = files.folder.path.split(separator: "/").count + 1
        #expect(try process.watches() <= Self.count + folders + ancestors)

        let edited = 1 << 12
        let loads = try Self.loads(of: program)
        #expect(loads == Self.count)
        for (old, new) in [(edited, -1), (-1, -2), (-2, -3)] {
            try files.replace(edited, with: new)
            #expect(try program.line() == "\(edited): \(old) -> \(new)")
        }
        #expect(try Self.loads(of: program) - loads <= 3 * 5)
    }

    /// Runs a probe, which keeps running, and returns the memory that it takes for all files.
    private static func growth(of task: String, _ files: CrowdFiles) throws -> (bytes: Int, RunningProgram) {
        let program = try Program.built("SessionProbe").start([task, "list"], in: files.folder, input: .lines)
        let process = ObservedProcess(identifier: program.identifier)
        #expect(try program.line() == "begin")
        let before = try process.residentBytes()
        try program.say("go on")
        // Each first read of a file writes its access time, which waits for whatever other tests synchronize.
        #expect(try program.line(within: .seconds(900)) == "opened")
        return (try process.residentBytes() - before, program)
    }

    private static func loads(of program: RunningProgram) throws -> Int {
        try program.say("loads")
        let words = try program.line()?.split(separator: " ") ?? []
        return try #require(Int(words.last ?? ""), "\(words)")
    }
}

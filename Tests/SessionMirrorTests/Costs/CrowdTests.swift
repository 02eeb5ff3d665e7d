import CAllocationCount
import TestSupport
import Testing

// A sanitizer has threads of its own, and takes a multiple of the memory.
@Suite("Ten thousand sessions in one process", .serialized, .enabled(if: allocation_count_is_available()))
struct CrowdTests {
    private static let count = 10_000

    @Test(
        "cost no thread, one kernel watch each, little memory, and an edit makes one of them look",
        arguments: [1, 100])
    func crowd(folders: Int) throws {
        let files = try CrowdFiles(Self.count, folders: folders)
        let bytesOfData = try Self.growth(of: "bare", files).bytes / Self.count
        let (bytes, program) = try Self.growth(of: "crowd", files)
        #expect(bytes / Self.count - bytesOfData <= 16 << 10)

        let process = ObservedProcess(identifier: program.identifier)
        try eventually("only the hub is left") { try process.threads().count == 2 }
        // The files, their folders, and the folders above, up to the root.
        let above = files.folder.path.split(separator: "/").count + 1
        #expect(try process.watches() <= Self.count + folders + above)

        let edited = 1 << 12
        let looks = try Self.looks(of: program)
        #expect(looks == Self.count)
        for (old, new) in [(edited, -1), (-1, -2), (-2, -3)] {
            try files.replace(edited, with: new)
            #expect(try program.line() == "\(edited): \(old) -> \(new)")
        }
        #expect(try Self.looks(of: program) - looks <= 3 * 5)
    }

    /// How much memory it takes to do with all the files what `task` says; the process goes on.
    private static func growth(of task: String, _ files: CrowdFiles) throws -> (bytes: Int, RunningProgram) {
        let program = try Program.built("SessionProbe").start([task, "list"], in: files.folder, input: .lines)
        let process = ObservedProcess(identifier: program.identifier)
        #expect(try program.line() == "begin")
        let before = try process.residentBytes()
        try program.say("go on")
        #expect(try program.line(within: .seconds(120)) == "opened")
        return (try process.residentBytes() - before, program)
    }

    private static func looks(of program: RunningProgram) throws -> Int {
        try program.say("looks")
        let words = try program.line()?.split(separator: " ") ?? []
        return try #require(Int(words.last ?? ""), "\(words)")
    }
}

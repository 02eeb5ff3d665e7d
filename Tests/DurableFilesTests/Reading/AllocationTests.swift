import DurableFiles
import TestSupport
import Testing

@Suite("What reading allocates", .enabled(if: AllocationMeter.countsOptimisedCode))
struct AllocationTests {
    private let folder: TemporaryFolder
    private var file: DurableFile { DurableFile(folder.path(of: "a.json")) }

    init() throws { folder = try TemporaryFolder() }

    @Test("is one buffer of the file's size", arguments: [1, 1_000, 1_000_000])
    func oneBuffer(size: Int) throws {
        try folder.write("a.json", [UInt8](repeating: 7, count: size))
        let file = file
        _ = try file.read(limit: size)
        let meter = try AllocationMeter { try file.read(limit: size) }
        #expect(meter.allocations == 1)
        // the head of an array, and what the heap rounds up to; large blocks come in whole pages
        #expect(meter.allocatedBytes < size + 64 + (size > 100_000 ? 8_192 : 0))
    }

    @Test("is nothing where a file is only looked at")
    func nothing() throws {
        try folder.write("a.json", "{}")
        let file = file
        _ = try file.identity()
        #expect(try AllocationMeter { try file.identity() }.allocations == 0)
    }
}

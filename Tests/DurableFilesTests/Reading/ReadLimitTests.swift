import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("The size limit of reading")
struct LimitTests {
    private let folder: TemporaryFolder
    private let calls = ScriptedCalls()
    private var file: DurableFile { DurableFile(folder.path(of: "a.json")) }

    init() throws { folder = try TemporaryFolder() }

    @Test("A file as large as the limit is read, and a larger one is rejected")
    func boundary() throws {
        try folder.write("a.json", "1234")
        #expect(try file.read(limit: 4).bytes.count == 4)
        let error = #expect(throws: FileError.self) { try file.read(limit: 3) }
        #expect(error?.code == .tooLarge(size: 4, limit: 3))
        #expect(#expect(throws: FileError.self) { try file.read(limit: 0) }?.code == .tooLarge(size: 4, limit: 0))
    }

    @Test("Sparse files of 1 GB and 8 TB are rejected without a read", arguments: [1 << 30, 8 << 40])
    func unread(size: Int) throws {
        try folder.write("a.json", "{}")
        try #require(truncate(file.path, size) == 0)
        let limit = 256 << 20
        let error = #expect(throws: FileError.self) { try file.read(limit: limit, through: calls) }
        #expect(error?.code == .tooLarge(size: Int64(size), limit: limit))
        #expect(calls.callsOnFile == [.openWithoutLinks, .status, .close])
    }
}

@Suite("Allocations of reading", .enabled(if: AllocationMeter.countsOptimizedCode))
struct AllocationTests {
    private let folder: TemporaryFolder
    private var file: DurableFile { DurableFile(folder.path(of: "a.json")) }

    init() throws { folder = try TemporaryFolder() }

    @Test("A read allocates one buffer of the file's size", arguments: [1, 1_000, 1_000_000])
    func oneBuffer(size: Int) throws {
        try folder.write("a.json", [UInt8](repeating: 7, count: size))
        let file = file
        _ = try file.read(limit: size)
        let meter = try AllocationMeter { try file.read(limit: size) }
        // A process of root checks each directory of the path, and allocates a string for each.
        let paths = getuid() == 0 ? 3 : 0
        // the buffer, and the object that has it
        #expect(meter.allocations <= 2 + paths)
        // the array header, and rounding by the allocator, which rounds large blocks to whole pages
        #expect(meter.allocatedBytes < size + 64 + 128 * paths + (size > 100_000 ? 8_192 : 0))
    }

    @Test("Getting the identity of a file allocates nothing")
    func nothing() throws {
        try folder.write("a.json", "{}")
        let file = file
        _ = try file.identity()
        #expect(try AllocationMeter { try file.identity() }.allocations == 0)
    }
}

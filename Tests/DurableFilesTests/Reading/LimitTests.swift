import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("The limit of reading")
struct LimitTests {
    private let folder: TemporaryFolder
    private let calls = ScriptedCalls()
    private var file: DurableFile { DurableFile(folder.path(of: "a.json")) }

    init() throws { folder = try TemporaryFolder() }

    @Test("lets through what is exactly as large")
    func boundary() throws {
        try folder.write("a.json", "1234")
        #expect(try file.read(limit: 4).bytes.count == 4)
        let error = #expect(throws: FileError.self) { try file.read(limit: 3) }
        #expect(error?.code == .tooLarge(size: 4, limit: 3))
        #expect(#expect(throws: FileError.self) { try file.read(limit: 0) }?.code == .tooLarge(size: 4, limit: 0))
    }

    @Test("refuses a gigabyte, and a hole of eight terabytes, without reading a byte", arguments: [1 << 30, 8 << 40])
    func unread(size: Int) throws {
        try folder.write("a.json", "{}")
        try #require(truncate(file.path, size) == 0)
        let limit = 256 << 20
        let error = #expect(throws: FileError.self) { try file.read(limit: limit, through: calls) }
        #expect(error?.code == .tooLarge(size: Int64(size), limit: limit))
        #expect(calls.made == [.open, .look, .close])
    }
}

import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("Reading a file")
struct ReadingTests {
    private let folder: TemporaryFolder
    private let calls = ScriptedCalls()

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String = "a.json") -> DurableFile { DurableFile(folder.path(of: name)) }

    @Test("A read returns contents, permissions and identity")
    func contents() throws {
        try folder.write("a.json", "{\"port\": 8080}\n")
        try #require(chmod(folder.path(of: "a.json"), 0o640) == 0)
        let contents = try file().read(limit: 15)
        #expect(contents.bytes == Array("{\"port\": 8080}\n".utf8))
        #expect(contents.mode == 0o640)
        #expect(contents.isStable)

        var status = stat()
        try #require(stat(folder.path(of: "a.json"), &status) == 0)
        let identity = contents.identity
        #expect(identity.device == status.st_dev && identity.inode == status.st_ino && identity.size == 15)
        #expect(identity.modified.seconds == status.st_mtim.tv_sec)
        #expect(Int(identity.modified.nanoseconds) == status.st_mtim.tv_nsec)
        #expect(identity.changed.seconds == status.st_ctim.tv_sec)
        #expect(Int(identity.changed.nanoseconds) == status.st_ctim.tv_nsec)
        #expect(try file().identity() == identity)
        #expect(try folder.openDescriptors() == 0, "with the real system calls")
    }

    @Test("A read makes one open, two status calls, one read and one close", arguments: [1, 100_000, 10_000_000])
    func costs(size: Int) throws {
        try folder.write("a.json", [UInt8](repeating: 7, count: size))
        let contents = try file().read(limit: size, through: calls)
        #expect(calls.callsOnFile == [.openWithoutLinks, .status, .read, .status, .close])
        #expect(contents.bytes.count == size && contents.bytes.allSatisfy { $0 == 7 })
        #expect(contents.bytes.capacity < size + 64 + size / 100)
        #expect(try folder.openDescriptors() == 0)
    }

    @Test("Reading an empty file returns no bytes")
    func empty() throws {
        try folder.write("a.json", "")
        let contents = try file().read(limit: 0, through: calls)
        #expect(contents.bytes == [] && contents.isStable && contents.identity.size == 0)
        #expect(calls.callsOnFile == [.openWithoutLinks, .status, .read, .status, .close])
    }

    @Test("A read follows symbolic links and returns the identity of the target")
    func links() throws {
        try folder.createFolder("deep")
        try folder.write("deep/a.json", "1")
        try folder.link("relative", to: "deep/a.json")
        try folder.link("absolute", to: folder.path(of: "relative"))
        let contents = try file("absolute").read(limit: 10)
        #expect(contents.bytes == Array("1".utf8))
        #expect(try contents.identity == file("deep/a.json").identity())
        #expect(try file("relative").identity() == contents.identity)
    }

    @Test("Short reads are continued to the end of the file")
    func shortReads() throws {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try folder.write("a.json", bytes)
        calls.longestRead = 3
        let contents = try file().read(limit: 1_000, through: calls)
        #expect(contents.bytes == bytes && contents.isStable)
        #expect(calls.count(of: .read) == 334 && calls.count(of: .openWithoutLinks) == 1)
    }

    @Test("A file in /proc that reports a size of zero is read up to the limit")
    func unknownSize() throws {
        let contents = try DurableFile("/proc/self/status").read(limit: 100_000, through: calls)
        #expect(contents.identity.size == 0 && contents.isStable)
        #expect(String(decoding: contents.bytes, as: UTF8.self).contains("\nPid:\t\(getpid())\n"))
        let error = #expect(throws: FileError.self) { try DurableFile("/proc/self/status").read(limit: 100) }
        guard case .tooLarge(let size, limit: 100)? = error?.code else { throw try #require(error) }
        #expect(size > 100)
        #expect(calls.openDescriptors == [])
    }

    @Test("Times before 1970 and beyond 64-bit nanoseconds are read exactly")
    func oddTimes() throws {
        try folder.write("a.json", "1")
        for seconds in [-2_000_000_000, 15_000_000_000] {
            let times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 5)]
            try #require(utimensat(AT_FDCWD, folder.path(of: "a.json"), times, 0) == 0)
            // Some file systems round timestamps.
            var status = stat()
            try #require(stat(folder.path(of: "a.json"), &status) == 0)
            let modified = try file().read(limit: 10).identity.modified
            #expect(modified.seconds == status.st_mtim.tv_sec && Int(modified.nanoseconds) == status.st_mtim.tv_nsec)
            #expect(abs(modified.seconds) > 1_000_000_000)
        }
    }

    @Test("Identities distinguish a changed file from a different file")
    func identities() throws {
        try folder.write("a.json", "1")
        let first = try file().identity()
        try folder.append("a.json", "2")
        let second = try file().identity()
        try folder.write("b.json", "12")
        try folder.rename("b.json", to: "a.json")
        let third = try file().identity()
        #expect(first != second && first.isSameFile(as: second) && first.changed <= second.changed)
        #expect(second != third && !second.isSameFile(as: third))
    }
}

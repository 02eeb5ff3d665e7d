import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("Files that change during a read")
struct StabilityTests {
    private let folder: TemporaryFolder
    private let calls = ScriptedCalls()
    private let oneTry: [ScriptedCalls.Call] = [.openWithoutLinks, .status, .read, .status, .close]

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a.json", "before")
    }

    private func read(limit: Int = 100) throws(FileError) -> FileContents {
        defer { calls.before = { _, _ in } }
        return try DurableFile(folder.path(of: "a.json")).read(limit: limit, through: calls)
    }

    /// Runs an action before a call of a kind, by default the first.
    private func once(_ call: ScriptedCalls.Call, _ number: Int = 1, _ action: @escaping () throws -> Void) {
        calls.before = { made, count in
            if made == call, count == number { #expect(throws: Never.self) { try action() } }
        }
    }

    @Test("A file that changes during a read is read again")
    func again() throws {
        once(.status, 2) { try folder.write("a.json", "afterwards") }
        let contents = try read()
        #expect(contents.bytes == Array("afterwards".utf8) && contents.isStable)
        #expect(contents.identity.size == 10)
        #expect(calls.callsOnFile == oneTry + oneTry)
        #expect(calls.openDescriptors == [] && calls.pauses == [])
    }

    @Test("A file that changes during every read is read three times and reported as unstable")
    func unstable() throws {
        calls.before = { call, count in
            if call == .status, count.isMultiple(of: 2) {
                #expect(throws: Never.self) { try folder.write("a.json", String(repeating: "x", count: count)) }
            }
        }
        let contents = try read()
        #expect(!contents.isStable)
        #expect(contents.bytes == Array("xxxx".utf8), "what the second change left, read by the third try")
        #expect(contents.identity.size == 6)
        #expect(calls.callsOnFile == oneTry + oneTry + oneTry)
    }

    @Test("A change that keeps size and modification time is detected by the status change time")
    func sameSizeAndTime() throws {
        let path = folder.path(of: "a.json")
        let original = try DurableFile(path).identity()
        let times = Array(
            repeating: timespec(
                tv_sec: Int(original.modified.seconds), tv_nsec: Int(original.modified.nanoseconds)), count: 2)
        once(.status, 2) {
            // A coarse clock may not advance for some milliseconds.
            eventually("the file shows the change") {
                let written = (try? folder.write("a.json", "BEFORE")) != nil
                return written && utimensat(AT_FDCWD, path, times, 0) == 0
                    && (try? DurableFile(path).identity()) != original
            }
        }
        let contents = try read()
        #expect(contents.bytes == Array("BEFORE".utf8) && contents.isStable)
        #expect(contents.identity.modified == original.modified && contents.identity.size == original.size)
        #expect(contents.identity.changed > original.changed)
        #expect(calls.callsOnFile == oneTry + oneTry)
    }

    @Test("A file that is truncated during a read is returned with the remaining bytes")
    func truncated() throws {
        once(.read) { try #require(truncate(folder.path(of: "a.json"), 2) == 0) }
        #expect(try read().bytes == Array("be".utf8))
        #expect(calls.callsOnFile == [.openWithoutLinks, .status, .read, .read, .status, .close] + oneTry)

        once(.read, calls.count(of: .read) + 1) { try #require(truncate(folder.path(of: "a.json"), 0) == 0) }
        let contents = try read()
        #expect(contents.bytes == [] && contents.isStable)
    }

    @Test("An empty file that is written during a read is read again")
    func fromNothing() throws {
        try folder.write("a.json", "")
        once(.status, 2) { try folder.write("a.json", "something") }
        #expect(try read().bytes == Array("something".utf8))
        #expect(calls.callsOnFile == oneTry + oneTry)
    }

    @Test("A file that is replaced during a read is returned in its new version")
    func replaced() throws {
        try folder.write("new", "second")
        let new = try DurableFile(folder.path(of: "new")).identity()
        once(.status, 2) { try folder.rename("new", to: "a.json") }
        let contents = try read()
        #expect(contents.bytes == Array("second".utf8) && contents.isStable)
        #expect(contents.identity.isSameFile(as: new))
    }

    @Test("A file that is deleted or becomes a directory during a read is an error")
    func gone() throws {
        once(.status, 2) { try folder.remove("a.json") }
        #expect(#expect(throws: FileError.self) { try read() }?.code == .missing)

        try folder.write("a.json", "before")
        once(.status, calls.count(of: .status) + 2) {
            try folder.remove("a.json")
            try folder.createFolder("a.json")
        }
        #expect(#expect(throws: FileError.self) { try read() }?.code == .directory)
        #expect(calls.openDescriptors == [])
    }

    @Test("A file that grows beyond the limit during a read is rejected")
    func outgrows() throws {
        once(.read) { try folder.append("a.json", " and after") }
        let error = #expect(throws: FileError.self) { try read(limit: 10) }
        #expect(error?.code == .tooLarge(size: 16, limit: 10))
        #expect(calls.callsOnFile == oneTry)
        #expect(calls.openDescriptors == [])
    }

    @Test("Concurrent reads do not cause another read")
    func readByOthers() throws {
        once(.status, 2) { _ = try folder.read("a.json") }
        #expect(try read().isStable)
        #expect(calls.callsOnFile == oneTry)
    }
}

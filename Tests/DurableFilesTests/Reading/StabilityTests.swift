import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("A file that changes while it is read")
struct StabilityTests {
    private let folder: TemporaryFolder
    private let calls = ScriptedCalls()
    private let oneTry: [ScriptedCalls.Call] = [.open, .look, .read, .look, .close]

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a.json", "before")
    }

    private func read(limit: Int = 100) throws(FileError) -> FileContents {
        defer { calls.before = { _, _ in } }
        return try DurableFile(folder.path(of: "a.json")).read(limit: limit, through: calls)
    }

    /// Does something just before the first of the calls of a kind, or another one.
    private func once(_ call: ScriptedCalls.Call, _ number: Int = 1, _ action: @escaping () throws -> Void) {
        calls.before = { made, count in
            if made == call, count == number { #expect(throws: Never.self) { try action() } }
        }
    }

    @Test("is read again, and comes as it is then")
    func again() throws {
        once(.look, 2) { try folder.write("a.json", "afterwards") }
        let contents = try read()
        #expect(contents.bytes == Array("afterwards".utf8) && contents.isStable)
        #expect(contents.identity.size == 10)
        #expect(calls.made == oneTry + oneTry)
        #expect(calls.openDescriptors == [] && calls.pauses == [])
    }

    @Test("each time is read three times, and said to be unstable")
    func unstable() throws {
        calls.before = { call, count in
            if call == .look, count.isMultiple(of: 2) {
                #expect(throws: Never.self) { try folder.write("a.json", String(repeating: "x", count: count)) }
            }
        }
        let contents = try read()
        #expect(!contents.isStable)
        #expect(contents.bytes == Array("xxxx".utf8), "what the second change left, read by the third try")
        #expect(contents.identity.size == 6)
        #expect(calls.made == oneTry + oneTry + oneTry)
    }

    @Test("keeps its size and its times as programs set them, and is caught by the time that nobody can set")
    func sameSizeAndTime() throws {
        let path = folder.path(of: "a.json")
        let original = try DurableFile(path).identity()
        let times = Array(
            repeating: timespec(
                tv_sec: Int(original.modified.seconds), tv_nsec: Int(original.modified.nanoseconds)), count: 2)
        once(.look, 2) {
            // A clock that is read coarsely may stand still for some milliseconds.
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
        #expect(calls.made == oneTry + oneTry)
    }

    @Test("is truncated under the reader, who takes what is left")
    func truncated() throws {
        once(.read) { try #require(truncate(folder.path(of: "a.json"), 2) == 0) }
        #expect(try read().bytes == Array("be".utf8))
        #expect(calls.made == [.open, .look, .read, .read, .look, .close] + oneTry)

        once(.read, calls.count(of: .read) + 1) { try #require(truncate(folder.path(of: "a.json"), 0) == 0) }
        let contents = try read()
        #expect(contents.bytes == [] && contents.isStable)
    }

    @Test("grows from nothing")
    func fromNothing() throws {
        try folder.write("a.json", "")
        once(.look, 2) { try folder.write("a.json", "something") }
        #expect(try read().bytes == Array("something".utf8))
        #expect(calls.made == oneTry + oneTry)
    }

    @Test("is replaced by another file, which is the one that comes")
    func replaced() throws {
        try folder.write("new", "second")
        let new = try DurableFile(folder.path(of: "new")).identity()
        once(.look, 2) { try folder.rename("new", to: "a.json") }
        let contents = try read()
        #expect(contents.bytes == Array("second".utf8) && contents.isStable)
        #expect(contents.identity.isSameFile(as: new))
    }

    @Test("is replaced by a folder or deleted, and that is said")
    func gone() throws {
        once(.look, 2) { try folder.remove("a.json") }
        #expect(#expect(throws: FileError.self) { try read() }?.code == .missing)

        try folder.write("a.json", "before")
        once(.look, calls.count(of: .look) + 2) {
            try folder.remove("a.json")
            try folder.createFolder("a.json")
        }
        #expect(#expect(throws: FileError.self) { try read() }?.code == .directory)
        #expect(calls.openDescriptors == [])
    }

    @Test("outgrows the limit, and is refused")
    func outgrows() throws {
        once(.read) { try folder.append("a.json", " and after") }
        let error = #expect(throws: FileError.self) { try read(limit: 10) }
        #expect(error?.code == .tooLarge(size: 16, limit: 10))
        #expect(calls.made == oneTry)
        #expect(calls.openDescriptors == [])
    }

    @Test("is only read by others, which changes nothing")
    func readByOthers() throws {
        once(.look, 2) { _ = try folder.read("a.json") }
        #expect(try read().isStable)
        #expect(calls.made == oneTry)
    }
}

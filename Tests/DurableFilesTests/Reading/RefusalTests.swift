import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("What cannot be read")
struct RefusalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a.json", "{}")
        try folder.createFolder("folder")
        try folder.link("loop", to: "loop")
        try folder.link("dangling", to: "nowhere")
        try #require(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
        try folder.link("pipe-link", to: "pipe")
    }

    private func expect(_ code: FileError.Code, of name: String, _ reason: String) throws {
        let path = name.hasPrefix("/") ? name : folder.path(of: name)
        let reading = ScriptedCalls()
        let error = try #require(
            #expect(throws: FileError.self) { try DurableFile(path).read(limit: 100, through: reading) })
        #expect(error.code == code)
        #expect(error.path == path)
        #expect(error.reason == reason)
        #expect(error.description.hasPrefix("\(path): \(reason)"))
        #expect(reading.openDescriptors == [] && reading.count(of: .read) == 0 && reading.pauses == [])

        let looking = ScriptedCalls()
        let other = #expect(throws: FileError.self) { try DurableFile(path).identity(through: looking) }
        #expect(other?.code == code && other?.reason == reason && other?.operation == .look)
        #expect(looking.made == [.lookAtPath])
    }

    @Test("what is missing, and links that lead nowhere or in a circle")
    func paths() throws {
        try expect(.missing, of: "missing.json", "No such file or directory")
        try expect(.missing, of: "missing/a.json", "No such file or directory")
        try expect(.missing, of: "dangling", "No such file or directory")
        try expect(.loop, of: "loop", "Too many levels of symbolic links")
        try expect(.notADirectory, of: "a.json/b.json", "Not a directory")
        try expect(.nameTooLong, of: String(repeating: "x", count: 256), "File name too long")
        try expect(.nameTooLong, of: String(repeating: "x/", count: 2_048), "File name too long")
    }

    @Test("a folder")
    func directory() throws {
        try expect(.directory, of: "folder", "Is a directory")
        try expect(.directory, of: "/", "Is a directory")
    }

    @Test("a pipe that nobody writes to, at once")
    func pipe() throws {
        try expect(.notRegular(.pipe), of: "pipe", "Not a regular file but a pipe")
        try expect(.notRegular(.pipe), of: "pipe-link", "Not a regular file but a pipe")
    }

    @Test("a pipe that somebody writes to, whose bytes stay in it")
    func fullPipe() throws {
        let both = try Descriptor.open(folder.path(of: "pipe"), O_RDWR | O_NONBLOCK)
        defer { close(both) }
        try #require(write(both, "abc", 3) == 3)
        try expect(.notRegular(.pipe), of: "pipe", "Not a regular file but a pipe")
        var count: Int32 = 0
        #expect(ioctl(both, UInt(FIONREAD), &count) == 0 && count == 3)
    }

    @Test("a socket and devices")
    func special() throws {
        let socket = try listen(at: folder.path(of: "s"))
        defer { close(socket) }
        try expect(.notRegular(.socket), of: "s", "Not a regular file but a socket")
        for device in ["/dev/null", "/dev/zero", "/dev/full"] {
            try expect(.notRegular(.device), of: device, "Not a regular file but a device")
        }
    }

    @Test("a path that holds NUL, of which the system would see only the beginning")
    func zero() throws {
        let file = DurableFile(folder.path(of: "a.json\0.png"))
        let calls = ScriptedCalls()
        for error in [
            #expect(throws: FileError.self) { try file.read(limit: 9, through: calls) },
            #expect(throws: FileError.self) { try file.identity(through: calls) },
        ] {
            #expect(error?.code == .invalidPath && error?.errorNumber == 0)
            #expect(error?.description.hasSuffix("a.json\u{FFFD}.png: A path cannot hold the character NUL") == true)
        }
        #expect(calls.made == [])
    }

    @Test("the empty path")
    func emptyPath() {
        #expect(#expect(throws: FileError.self) { try DurableFile("").read(limit: 9) }?.code == .missing)
    }

    private func listen(at path: String) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let length = socklen_t(MemoryLayout.size(ofValue: address))
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(bound == 0)
        return descriptor
    }
}

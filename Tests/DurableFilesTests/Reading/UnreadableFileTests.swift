import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("Paths that cannot be read")
struct UnreadableFileTests {
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
        let readCalls = ScriptedCalls()
        let error = try #require(
            #expect(throws: FileError.self) { try DurableFile(path).read(limit: 100, through: readCalls) })
        #expect(error.code == code)
        #expect(error.path == path)
        #expect(error.reason == reason)
        #expect(error.description.hasPrefix("\(path): \(reason)"))
        #expect(readCalls.openDescriptors == [] && readCalls.count(of: .read) == 0 && readCalls.pauses == [])

        let statusCalls = ScriptedCalls()
        let other = #expect(throws: FileError.self) { try DurableFile(path).identity(through: statusCalls) }
        #expect(other?.code == code && other?.reason == reason && other?.operation == .status)
        #expect(statusCalls.made == [.statusOfPath])
    }

    @Test("Missing files, broken or circular links and overlong names are rejected")
    func paths() throws {
        try expect(.missing, of: "missing.json", "No such file or directory")
        try expect(.missing, of: "missing/a.json", "No such file or directory")
        try expect(.missing, of: "dangling", "No such file or directory")
        try expect(.loop, of: "loop", "Too many levels of symbolic links")
        try expect(.notADirectory, of: "a.json/b.json", "Not a directory")
        try expect(.nameTooLong, of: String(repeating: "x", count: 256), "File name too long")
        try expect(.nameTooLong, of: String(repeating: "x/", count: 2_048), "File name too long")
    }

    @Test("A directory is rejected")
    func directory() throws {
        try expect(.directory, of: "folder", "Is a directory")
        try expect(.directory, of: "/", "Is a directory")
    }

    @Test("A pipe without a writer is rejected without waiting")
    func pipe() throws {
        try expect(.notRegular(.pipe), of: "pipe", "Not a regular file but a pipe")
        try expect(.notRegular(.pipe), of: "pipe-link", "Not a regular file but a pipe")
    }

    @Test("A pipe with a writer is rejected, and its bytes stay in it")
    func fullPipe() throws {
        let both = try Descriptor.open(folder.path(of: "pipe"), O_RDWR | O_NONBLOCK)
        defer { close(both) }
        try #require(write(both, "abc", 3) == 3)
        try expect(.notRegular(.pipe), of: "pipe", "Not a regular file but a pipe")
        var count: Int32 = 0
        #expect(ioctl(both, UInt(FIONREAD), &count) == 0 && count == 3)
    }

    @Test("A socket and devices are rejected")
    func special() throws {
        let socket = try listen(at: folder.path(of: "s"))
        defer { close(socket) }
        try expect(.notRegular(.socket), of: "s", "Not a regular file but a socket")
        for device in ["/dev/null", "/dev/zero", "/dev/full"] {
            try expect(.notRegular(.device), of: device, "Not a regular file but a device")
        }
    }

    @Test("A path that contains NUL is rejected without a system call")
    func zero() throws {
        let file = DurableFile(folder.path(of: "a.json\0.png"))
        let calls = ScriptedCalls()
        for error in [
            #expect(throws: FileError.self) { try file.read(limit: 9, through: calls) },
            #expect(throws: FileError.self) { try file.identity(through: calls) },
        ] {
            #expect(error?.code == .invalidPath && error?.errorNumber == 0)
            #expect(error?.description.hasSuffix("a.json\u{FFFD}.png: A path cannot contain NUL") == true)
        }
        #expect(calls.made == [])
    }

    @Test("The empty path is reported as missing")
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

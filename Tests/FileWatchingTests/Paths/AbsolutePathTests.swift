import Glibc
import Testing

@testable import FileWatching

@Suite struct AbsolutePathTests {
    private func rejection(_ path: String) -> FileWatchError? {
        do { _ = try AbsolutePath.of(path) } catch { return error }
        return nil
    }

    @Test("An absolute path is not changed, even if it contains dots")
    func absolute() throws { #expect(try AbsolutePath.of("/a/../b//c/") == "/a/../b//c/") }

    @Test("A relative path becomes absolute with the working directory")
    func relative() throws {
        let folder = try #require(getcwd(nil, 0))
        defer { free(folder) }
        #expect(try AbsolutePath.of("a/b") == String(cString: folder) + "/a/b")
    }

    @Test("An empty path, one that contains NUL and one that is too long are rejected")
    func refused() {
        #expect(rejection("")?.description == "the path to watch is empty")
        #expect(rejection("/a\0b")?.reason.summary == "the path contains a NUL")
        let long = "/" + String(repeating: "a/", count: 2048)
        #expect(rejection(long)?.reason.summary == "the path is longer than 4095 bytes")
        for path in ["", "/a\0b", long] { #expect(rejection(path)?.code == .invalidPath) }
    }

    @Test("The longest path that the kernel accepts is accepted")
    func longest() { #expect(rejection("/" + String(repeating: "a", count: 4094)) == nil) }
}

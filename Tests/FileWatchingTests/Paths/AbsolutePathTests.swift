import Glibc
import Testing

@testable import FileWatching

@Suite struct AbsolutePathTests {
    private func refusal(_ path: String) -> FileWatchError? {
        do { _ = try AbsolutePath.of(path) } catch { return error }
        return nil
    }

    @Test("an absolute path stays as it is, dots and all")
    func absolute() throws { #expect(try AbsolutePath.of("/a/../b//c/") == "/a/../b//c/") }

    @Test("a relative path begins at the working directory")
    func relative() throws {
        let folder = try #require(getcwd(nil, 0))
        defer { free(folder) }
        #expect(try AbsolutePath.of("a/b") == String(cString: folder) + "/a/b")
    }

    @Test("a path that names nothing, holds a NUL or is too long is refused in words")
    func refused() {
        #expect(refusal("")?.description == "an empty path cannot be watched: it names nothing")
        #expect(refusal("/a\0b")?.reason.summary == "it holds a NUL")
        let long = "/" + String(repeating: "a/", count: 2048)
        #expect(refusal(long)?.reason.summary == "it is longer than 4095 bytes")
        for path in ["", "/a\0b", long] { #expect(refusal(path)?.code == .invalidPath) }
    }

    @Test("the longest path that the kernel takes is taken")
    func longest() { #expect(refusal("/" + String(repeating: "a", count: 4094)) == nil) }
}

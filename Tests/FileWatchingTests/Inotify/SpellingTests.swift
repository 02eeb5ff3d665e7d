#if InotifyTools
import Glibc
import TestSupport
import Testing

@testable import FileWatching

@Suite struct SpellingTests {
    private func spelling(_ generation: UInt32, _ directory: String, _ name: FileName?) -> String {
        let directory = ResolvedDirectory(path: Array(directory.utf8), inode: Inode(device: 0, number: 0))
        return String(decoding: InotifyTools.spelling(of: name, in: directory, generation).dropLast(), as: UTF8.self)
    }

    @Test("The digits of the generation stand between directory and name of a spelling")
    func digits() {
        #expect(spelling(1, "/a", "b") == "/a/./b")
        #expect(spelling(2, "/a", "b") == "/a/.//b")
        #expect(spelling(5, "/a", nil) == "/a/.//./")
        #expect(spelling(3, "", "b") == "/././b")
    }

    @Test("No two generations of a path are spelled alike, and each leads to the same file")
    func unique() throws {
        let folder = try TemporaryFolder()
        try folder.write("b", "")
        var spellings: Set<String> = []
        for generation in UInt32(1)...3000 {
            let text = spelling(generation, folder.path, "b")
            spellings.insert(text)
            #expect(access(text, F_OK) == 0)
        }
        #expect(spellings.count == 3000)
    }
}
#endif

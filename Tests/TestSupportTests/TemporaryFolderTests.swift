import Glibc
import TestSupport
import Testing

@Suite("Temporary directories")
struct TemporaryFolderTests {
    @Test("A temporary directory is removed with its contents on release")
    func released() throws {
        var folder: TemporaryFolder? = try TemporaryFolder()
        let path = try #require(folder).path
        try folder?.createFolder("a/b")
        try folder?.write("a/b/c", "c")
        try folder?.link("a/link", to: "nowhere")
        folder = nil
        #expect(access(path, F_OK) == -1)
    }

    @Test("What is created in a temporary directory after its release is removed when the process exits")
    func createdAfterRelease() async throws {
        let parent = try TemporaryFolder()
        await #expect(processExitsWith: .success) { [path = parent.path as String] in
            let late = try TemporaryFolder(in: path).path
            precondition(mkdir(late, 0o700) == 0 && mkdir("\(late)/a", 0o700) == 0)
            exit(EXIT_SUCCESS)
        }
        #expect(try parent.names() == [])
    }

    @Test("Files of a temporary directory are written, appended, renamed, linked and removed")
    func contents() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "long text")
        try folder.write("a", "text")
        try folder.append("a", "+")
        try folder.rename("a", to: "b")
        try folder.link("c", to: "b")
        #expect(try folder.read("c") == "text+")
        try folder.remove("b")
        #expect(throws: TestSupportError.self) { try folder.read("c") }
    }

    @Test("Open descriptors in a temporary directory are counted, also those of deleted files")
    func descriptors() throws {
        let folder = try TemporaryFolder()
        try folder.write("a", "")
        #expect(try folder.openDescriptors() == 0)
        let one = try Descriptor.open(folder.path(of: "a"), O_RDONLY)
        let two = try Descriptor.open(folder.path, O_RDONLY)
        try folder.remove("a")
        #expect(try folder.openDescriptors() == 2)
        for descriptor in [one, two] { close(descriptor) }
        #expect(try folder.openDescriptors() == 0)
    }
}

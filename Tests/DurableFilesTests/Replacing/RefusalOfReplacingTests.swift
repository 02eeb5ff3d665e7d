import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("What cannot be replaced")
struct RefusalOfReplacingTests {
    private let bench: Workbench

    init() throws { bench = try Workbench() }

    private func error(_ path: String, limit: Int = 100) throws -> FileError {
        try #require(throws: FileError.self) { try bench.add("after", path: path, limit: limit) }
    }

    @Test("folders, and names that only folders can have", arguments: ["", "/", ".", "..", "sub", "sub/", "sub/."])
    func folders(name: String) throws {
        try bench.folder.createFolder("sub")
        let path = name == "" ? bench.folder.path : bench.folder.path(of: name)
        #expect(try error(path).code == .directory)
        #expect(bench.calls.openDescriptors == [])
    }

    @Test("the empty path, and one that holds NUL")
    func impossible() throws {
        #expect(try error("").code == .missing)
        #expect(try error("a\0b").code == .invalidPath)
    }

    @Test("what is no regular file, without waiting for anybody")
    func special() throws {
        try #require(mkfifo(bench.folder.path(of: "pipe"), 0o600) == 0)
        #expect(try error(bench.folder.path(of: "pipe")).code == .notRegular(.pipe))
        #expect(try error("/dev/null").code == .notRegular(.device))
        try bench.expectClean(["a.json", "pipe"])
    }

    @Test("a file in a folder that is not there, unless folders are to be created")
    func folderMissing() throws {
        let path = bench.folder.path(of: "new/deep/b.json")
        let refusal = try error(path)
        #expect(refusal.code == .missing && refusal.description == "\(path): No such file or directory")

        var options = ReplaceOptions.durable
        options.createsFolders = true
        #expect(try bench.add("first", options, path: path).method == .created)
        #expect(try bench.folder.read("new/deep/b.json") == "first")
        for name in ["new", "new/deep"] {
            var status = stat()
            #expect(stat(bench.folder.path(of: name), &status) == 0 && status.st_mode & 0o777 == 0o700)
        }
    }

    @Test("a file that is larger than allowed")
    func tooLarge() throws {
        let refusal = try error(bench.file.path, limit: 5)
        #expect(refusal.code == .tooLarge(size: 6, limit: 5))
        #expect(try bench.text() == "before")
        try bench.expectClean()
    }

    @Test("a file by one that is larger than this process may write, which the kernel would kill it for")
    func fileSizeLimit() throws {
        bench.calls.largestFile = 8
        let refusal = try error(bench.file.path)
        #expect(refusal.errorNumber == EFBIG && refusal.operation == .write)
        #expect(try bench.text() == "before")
        try bench.expectClean()
    }

    @Test("a temporary name that somebody has guessed is left alone, and another one taken")
    func guessed() throws {
        bench.calls.failures = [.openUnnamed: [EOPNOTSUPP], .openIn: []]
        bench.calls.before = { [bench] call, number in
            if call == .openIn, number == 3 { bench.calls.failures[.openIn] = [EEXIST] }
        }
        #expect(try bench.add("after").method == .exchanged)
        #expect(bench.calls.failures[.openIn] == [])
        try bench.expectClean()
    }
}

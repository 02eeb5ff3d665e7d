import DurableFiles
import FileScripts
import Glibc
import TestSupport
import Testing

@Suite("Invalid targets of replacements")
struct InvalidTargetTests {
    private let fixture: ReplaceFixture

    init() throws { fixture = try ReplaceFixture() }

    private func error(_ path: String, limit: Int = 100) throws -> FileError {
        try #require(throws: FileError.self) { try fixture.add("after", path: path, limit: limit) }
    }

    @Test(
        "Directories and names that only directories can have are not replaced",
        arguments: ["", "/", ".", "..", "sub", "sub/", "sub/."])
    func folders(name: String) throws {
        try fixture.folder.createFolder("sub")
        let path = name == "" ? fixture.folder.path : fixture.folder.path(of: name)
        #expect(try error(path).code == .directory)
        #expect(fixture.calls.openDescriptors == [])
    }

    @Test("The empty path and a path that contains NUL are not replaced")
    func invalidPaths() throws {
        #expect(try error("").code == .missing)
        #expect(try error("a\0b").code == .invalidPath)
    }

    @Test("A pipe and a device are not replaced")
    func special() throws {
        try #require(mkfifo(fixture.folder.path(of: "pipe"), 0o600) == 0)
        #expect(try error(fixture.folder.path(of: "pipe")).code == .notRegular(.pipe))
        #expect(try error("/dev/null").code == .notRegular(.device))
        try fixture.expectClean(["a.json", "pipe"])
    }

    @Test("A missing directory is an error unless the options create directories")
    func folderMissing() throws {
        let path = fixture.folder.path(of: "new/deep/b.json")
        let failure = try error(path)
        #expect(failure.code == .missing && failure.reason == "The directory \(failure.directory ?? "") does not exist")
        #expect(failure.directory == fixture.folder.path(of: "new/deep"))

        var options = ReplaceOptions.durable
        options.createsDirectories = true
        #expect(try fixture.add("first", options, path: path).method == .created)
        #expect(try fixture.folder.read("new/deep/b.json") == "first")
        for name in ["new", "new/deep"] {
            var status = stat()
            #expect(stat(fixture.folder.path(of: name), &status) == 0 && status.st_mode & 0o777 == 0o700)
        }
    }

    @Test("New directories have the given permissions without those of the umask") func directoryPermissions() throws {
        var options = ReplaceOptions.durable
        (options.createsDirectories, options.newDirectoryPermissions) = (true, 0o757)
        #expect(try fixture.add("first", options, path: fixture.folder.path(of: "new/deep/b.json")).method == .created)
        let script = #"stat -c %a new new/deep; printf '%o\n' $((0757 & ~$(umask)))"#
        let output = try Program.shell.run(["-c", script], in: fixture.folder).output.split(separator: "\n")
        #expect(output.count == 3 && Set(output).count == 1, "\(output)")
    }

    @Test("A replacement that writes nothing creates no directories") func nothingToWrite() throws {
        var options = ReplaceOptions.durable
        options.createsDirectories = true
        let file = DurableFile(fixture.folder.path(of: "new/deep/b.json"))
        let result = try file.replace(limit: 100, options: options) { found in
            #expect(found.contents == nil)
            return nil
        }
        #expect(result.method == .unchanged && result.contents == nil)
        try file.recover(limit: 100, options: options) { _, _, _ in [] }
        #expect(access(fixture.folder.path(of: "new"), F_OK) == -1)
    }

    @Test("A file larger than the limit is not replaced")
    func tooLarge() throws {
        let failure = try error(fixture.file.path, limit: 5)
        #expect(failure.code == .tooLarge(size: 6, limit: 5))
        #expect(try fixture.text() == "before")
        try fixture.expectClean()
    }

    @Test("Contents beyond the file size limit of the process are not written")
    func fileSizeLimit() throws {
        fixture.calls.largestFile = 8
        let failure = try error(fixture.file.path)
        #expect(failure.errorNumber == EFBIG && failure.operation == .write)
        #expect(try fixture.text() == "before")
        try fixture.expectClean()
    }

    @Test("Another temporary name is used if the first one exists")
    func guessed() throws {
        fixture.calls.failures = [.openUnnamed: [EOPNOTSUPP], .openIn: []]
        fixture.calls.before = { [fixture] call, number in
            if call == .openIn, number == 3 { fixture.calls.failures[.openIn] = [EEXIST] }
        }
        #expect(try fixture.add("after").method == .exchanged)
        #expect(fixture.calls.failures[.openIn] == [])
        try fixture.expectClean()
    }
}

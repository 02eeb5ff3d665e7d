import DurableFiles
import Glibc
import TestSupport
import Testing

@Suite("Advice for a lack of permission", .requiresRoot, .needs(.unshare, .setpriv, .setfattr))
struct PermissionAdviceTests {
    private let shell: PrivateShell
    private static let choice = ", see chmod and chown, or choose another directory"
    private static let service = "; a systemd service has STATE_DIRECTORY (StateDirectory=) for its files"

    init() throws { shell = try PrivateShell() }

    /// The error of a replacement by user 1234.
    private func error(of path: String, _ settings: String = "") throws -> String {
        let result = try shell.result(of: shell.probe("replace \(path) new", as: .stranger, settings))
        #expect(result.code == 1)
        return result.output
    }

    @Test(
        "A directory of the path that the user may not search is named, also behind a symbolic link",
        arguments: [
            ("closed/a.json", "closed"), ("open/closed/deep/a.json", "open/closed"),
            ("open/closed/none/a.json", "open/closed"),
            ("open/closed/./a.json", "open/closed"), ("link/a.json", "open/closed"), ("file.json", "open/closed"),
        ])
    func search(path: String, directory: String) throws {
        try shell.run(
            "mkdir -p closed open/closed/deep && touch closed/a.json open/closed/a.json open/closed/deep/a.json")
        try shell.run("ln -s open/closed link && ln -s open/closed/a.json file.json && chmod 700 closed open/closed")
        let advice = "user 1234 needs search permission for the directory \(directory)\(Self.choice)"
        #expect(try error(of: path) == "permission, open, 13: Permission denied; \(advice)")
        try shell.end()
    }

    @Test("Permission to read the file, to write to it and to change its directory are told apart") func kinds() throws
    {
        try shell.run("mkdir -m 777 open && touch open/hidden.json open/fixed.json")
        try shell.run("chmod 600 open/hidden.json && chmod 644 open/fixed.json")
        let file = "permission for the file, see chmod and chown"
        #expect(
            try error(of: "open/hidden.json") == "permission, open, 13: Permission denied; user 1234 needs read \(file)"
        )
        #expect(
            try error(of: "open/fixed.json")
                == "permission, write, 13: Permission denied; user 1234 needs write \(file)")
        let directory = "user 1234 needs write permission for the directory there\(Self.choice)"
        #expect(try error(of: "there/a.json") == "permission, create, 13: Permission denied; \(directory)")
        try shell.end()
    }

    @Test("STATE_DIRECTORY is named below a home, and if HOME is unset or cannot be written to") func services() throws
    {
        let home = shell.folder.path(of: "home")
        try shell.run("mkdir -m 755 home/there")
        let advice = "permission, create, 13: Permission denied; user 1234 needs write permission for the directory"
        #expect(try error(of: "there/a.json") == "\(advice) there\(Self.choice)")
        #expect(try error(of: "there/a.json", "-u HOME") == "\(advice) there\(Self.choice)\(Self.service)")
        #expect(try error(of: "there/a.json", "HOME=/proc") == "\(advice) there\(Self.choice)\(Self.service)")
        #expect(try error(of: "home/there/a.json") == "\(advice) home/there\(Self.choice)\(Self.service)")
        #expect(
            try error(of: "\(home)/there/a.json") == "\(advice) \(home)/there\(Self.choice)\(Self.service)")
        try shell.end()
    }
}

@Suite("Advice for a missing directory") struct MissingDirectoryTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.createFolder("there")
        try folder.link("link", to: "there/gone")
    }

    private func replace(_ path: String, _ options: ReplaceOptions = .durable) -> FileError? {
        do {
            _ = try DurableFile(path).replace(limit: 100, options: options) { _ in Array("new".utf8) }
            return nil
        } catch {
            return error as? FileError
        }
    }

    @Test(
        "Replacing a file in a missing directory names the whole directory and the option that creates it",
        arguments: [
            ("none/a.json", "none"), ("none/deep/a.json", "none/deep"), ("there/none/a.json", "there/none"),
            ("link/a.json", "there/gone"), ("link/deep/a.json", "there/gone/deep"),
        ])
    func missing(path: String, directory: String) throws {
        let path = folder.path(of: path)
        let error = try #require(replace(path))
        #expect(error.code == .missing && error.operation == .open && error.errorNumber == ENOENT)
        #expect(error.directory == folder.path(of: directory))
        #expect(
            error.description == "\(path): The directory \(folder.path(of: directory)) does not exist;"
                + " create it with mkdir -p, or let the program create it (createsDirectories)")
        var options = ReplaceOptions.fast
        options.createsDirectories = true
        #expect(replace(path, options) == nil)
        #expect(try DurableFile(path).read(limit: 100).bytes == Array("new".utf8))
    }

    @Test(
        "A reader reports a missing file, whether its directory exists or not",
        arguments: ["there/a.json", "none/a.json", "link/a.json"])
    func reading(path: String) {
        let path = folder.path(of: path)
        let error = #expect(throws: FileError.self) { try DurableFile(path).read(limit: 100) }
        #expect(error?.code == .missing && error?.directory == nil && error?.advice == nil)
        #expect(error?.description == "\(path): No such file or directory")
    }

    @Test("The name of a missing directory contains no control characters, and is truncated") func hostile() throws {
        let name = "\u{1B}[2J\n\u{202E}" + String(repeating: "x", count: 200)
        let path = folder.path(of: ([name] + Array(repeating: "y", count: 800) + ["a.json"]).joined(separator: "/"))
        let error = try #require(replace(path))
        #expect(error.directory?.utf8.count == path.utf8.count - "/a.json".utf8.count)
        #expect(error.reason.utf8.count < 1_100 && error.reason.contains("\u{FFFD}[2J\u{FFFD}\u{FFFD}xxx"))
        #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
    }
}

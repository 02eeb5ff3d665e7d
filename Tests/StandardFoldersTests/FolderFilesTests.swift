import DurableFiles
import Glibc
import TestSupport
import Testing

@testable import StandardFolders

/// Folders in the file system.
@Suite("Creating, listing and removing folders") struct FolderFilesTests {
    private let folder: TemporaryFolder
    private let cache: CacheFolder

    init() throws {
        folder = try TemporaryFolder()
        cache = CacheFolder(location: FolderLocation(folder.path, "notes"))
    }

    struct Images: Folder { let location: FolderLocation }

    private var images: Images { cache.subfolder() }

    @Test("Naming a folder creates nothing; creating it makes its parents, for the owner only") func create() throws {
        #expect(!images.exists && !cache.exists)
        #expect(try images.names() == [])
        #expect(try images.create() == images)
        try images.create()
        #expect(images.exists)
        let modes = try Program.shell.run(["-c", "stat -c %a notes notes/images"], in: folder)
        #expect(modes.output == "700\n700\n")
    }

    @Test("Processes that create a folder at once all succeed") func processes() throws {
        let script = """
            for round in 1 2 3 4 5 6 7 8 9 10; do
                for process in 1 2 3 4; do "$0" create >created.$process 2>&1 & done
                wait && cat created.* && rm -r .cache || exit
            done
            """
        let result = try Program("/usr/bin/env").run(
            ["-i", "HOME=\(folder.path)", "PATH=/usr/bin:/bin", "sh", "-c", script, Program.built("folders").path],
            in: folder)
        #expect(result.code == 0 && result.messages == "", "\(result)")
        #expect(Set(result.output.split(separator: "\n")) == ["\(folder.path)/.cache/folders/images/user-portraits"])
    }

    @Test("Tasks that create a folder at once all succeed") func concurrently() async throws {
        let images = images
        for _ in 1...50 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...4 { group.addTask { try images.create() } }
                try await group.waitForAll()
            }
            #expect(images.exists)
            try cache.remove()
        }
    }

    @Test("Links lead to where they point; a file in place of a folder is an error that names it") func obstacles()
        throws
    {
        try folder.createFolder("real")
        try folder.link("notes", to: "real")
        try images.create()
        #expect(try Program.shell.run(["-c", "ls real"], in: folder).output == "images\n")
        try images.remove()
        try folder.write("real/images", "")
        let error = try #require(throws: FolderError.self) { try images.create() }
        #expect(error.description == "\(images.path): Not a directory")
        #expect(throws: FolderError.self) { try images.names() }
        #expect(throws: FolderError.self) { try images.remove() }
        #expect(!images.exists)
    }

    @Test("Removing a folder removes all that it has, and follows no link") func remove() throws {
        try images.create()
        let script = """
            cd notes/images && mkdir -p a/b/c && touch a/b/c/file a/x .hidden 'with space' && echo kept >../kept &&
            ln -s ../../kept a/link && ln -s .. up && mkfifo pipe && touch "$(printf 'no\\377utf')"
            """
        #expect(try Program.shell.run(["-c", script], in: folder).code == 0)
        #expect(try images.names().count == 6)
        try images.remove()
        try images.remove()
        #expect(try cache.names() == ["kept"])
        try images.create()
        let linking = "cd notes && mv images elsewhere && ln -s elsewhere images"
        #expect(try Program.shell.run(["-c", linking], in: folder).code == 0)
        try folder.write("notes/elsewhere/file", "")
        try images.remove()
        #expect(try cache.names() == ["elsewhere", "kept"] && folder.read("notes/elsewhere/file") == "")
        try cache.subfolder(named: "elsewhere").remove()
        #expect(throws: FolderError(.baseDirectory, folder.path)) {
            try HomeFolder(location: FolderLocation(folder.path)).remove()
        }
        #expect(cache.exists)
    }

    @Test("Without a home directory, creating a folder says what to set") func noHome() throws {
        let folders = Folders(of: "notes", isOwn: true, in: .made([:], home: nil))
        let error = try #require(throws: FolderError.self) { try folders.cache.create() }
        #expect(
            error.description
                == "there is no home directory for /nonexistent/.cache/notes: set HOME, or StateDirectory="
                + " and the like in the unit of a service")
    }

    @Test("A folder that the user may not create in is an error with advice", .asAnyUser, .needs(.setpriv))
    func permission() throws {
        let result = try Programs.setpriv.program.run(
            [
                "--reuid=65534", "--regid=65534", "--clear-groups", "env", "XDG_CACHE_HOME=/proc/none", "HOME=/h",
                Program.built("folders").path, "create",
            ], in: folder)
        #expect(result.code != 0 && result.messages.contains("/proc/none/folders/images/user-portraits: "))
    }

    @Test("A temporary folder vanishes at the end of its scope, also after an error") func temporary() async throws {
        struct Failure: Error {}
        let path = try Folders.withTemporary { folder in
            #expect(folder.exists && folder.base == Folders.temporary.path)
            try NamedFolder(location: folder.location.appending("a")).create()
            return folder.path
        }
        #expect(access(path, F_OK) != 0)
        var second = ""
        await #expect(throws: Failure.self) {
            try await Folders.withTemporary { folder in
                second = folder.path
                await Task.yield()
                throw Failure()
            }
        }
        #expect(second != path && second != "" && access(second, F_OK) != 0)
    }
}

/// The example program, in environments of its own.
@Suite("Folders of a real program") struct FolderProgramTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ variables: [String], _ program: String, _ arguments: String...) throws -> String {
        let words = Program.emptyEnvironment + variables + [program] + arguments
        let result = try Program("/usr/bin/env").run(words, in: folder)
        #expect(result.code == 0 && result.messages == "", "\(result)")
        return result.output
    }

    @Test("The name is that of the program as it was started; folders are created, listed and removed")
    func program() throws {
        try folder.link("notes", to: Program.built("folders").path)
        let home = "HOME=\(folder.path)"
        #expect(try run([home], "./notes").contains("\ncache      \(folder.path)/.cache/notes\n"))
        let program = Program.built("folders").path
        #expect(try run([home], program, "create") == "\(folder.path)/.cache/folders/images/user-portraits\n")
        #expect(try run([home], program, "list") == "user-portraits\n")
        #expect(try run([home], program, "remove") == "")
        #expect(try run([home], program, "list") == "")
    }

    @Test("A service has the directories that systemd names") func service() throws {
        let variables = [
            "CONFIGURATION_DIRECTORY=/etc/a:/etc/b", "STATE_DIRECTORY=/var/lib/a", "CACHE_DIRECTORY=/var/cache/a",
            "RUNTIME_DIRECTORY=/run/a", "LOGS_DIRECTORY=/var/log/a", "HOME=/h", "XDG_STATE_HOME=/x",
        ]
        let expected = [
            "config     /etc/a", "state      /var/lib/a", "data       /h/.local/share/folders",
            "cache      /var/cache/a",
            "runtime    /run/a", "logs       /var/log/a", "documents  /h/Documents", "temporary  /tmp", "home       /h",
        ]
        #expect(
            try run(variables, Program.built("folders").path).split(separator: "\n").map(String.init) == expected)
    }

    @Test(
        "A program with the privileges of another user ignores the environment", .asAnyUser,
        .enabled(if: !Sanitizer.isActive, "it ignores the settings of a sanitizer, too"))
    func privileged() throws {
        let copied = try Program.shell.run(
            ["-c", "cp '\(Program.built("folders").path)' p && chown 65534 p && chmod 4755 p && chmod 755 ."],
            in: folder)
        #expect(copied.code == 0, "\(copied)")
        let home = try Program.shell.run(["-c", "getent passwd 65534 | cut -d: -f6"], in: folder).output.dropLast()
        let variables = [
            "HOME=/h", "XDG_STATE_HOME=/x", "STATE_DIRECTORY=/s", "XDG_CACHE_HOME=/c", "TMPDIR=/t",
            "XDG_RUNTIME_DIR=/r",
        ]
        let lines = try run(variables, "./p").split(separator: "\n")
        #expect(lines.contains("state      \(home)/.local/state/p") && lines.contains("cache      \(home)/.cache/p"))
        #expect(lines.contains("temporary  /tmp") && lines.contains("runtime    /run/user/65534/p"))
    }
}

import Glibc
import TestSupport
import Testing

@testable import StandardFolders

/// Where the folders are in different environments.
@Suite("Standard directories") struct FoldersTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let folder: @Sendable (Folders) -> any Folder
        let own: String?
        let variable: String?
        let standard: String
        /// What is appended to the directory of the variable.
        let appended: String

        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "config", folder: { $0.config }, own: "CONFIGURATION_DIRECTORY", variable: "XDG_CONFIG_HOME",
            standard: "/home/ann/.config/notes", appended: "/notes"),
        Case(
            name: "state", folder: { $0.state }, own: "STATE_DIRECTORY", variable: "XDG_STATE_HOME",
            standard: "/home/ann/.local/state/notes", appended: "/notes"),
        Case(
            name: "data", folder: { $0.data }, own: nil, variable: "XDG_DATA_HOME",
            standard: "/home/ann/.local/share/notes", appended: "/notes"),
        Case(
            name: "cache", folder: { $0.cache }, own: "CACHE_DIRECTORY", variable: "XDG_CACHE_HOME",
            standard: "/home/ann/.cache/notes", appended: "/notes"),
        Case(
            name: "runtime", folder: { $0.runtime }, own: "RUNTIME_DIRECTORY", variable: "XDG_RUNTIME_DIR",
            standard: "/run/user/1000/notes", appended: "/notes"),
        Case(
            name: "logs", folder: { $0.logs }, own: "LOGS_DIRECTORY", variable: "XDG_STATE_HOME",
            standard: "/home/ann/.local/state/log/notes", appended: "/log/notes"),
        Case(
            name: "documents", folder: { $0.documents }, own: nil, variable: nil, standard: "/home/ann/Documents",
            appended: ""),
        Case(
            name: "temporary", folder: { $0.temporary }, own: nil, variable: "TMPDIR", standard: "/tmp", appended: ""),
        Case(name: "home", folder: { $0.home }, own: nil, variable: "HOME", standard: "/home/ann", appended: ""),
    ]

    private func path(
        _ of: Case, _ variables: [String: String] = [:], home: String? = "/home/ann", user: UInt32 = 1000,
        isOwn: Bool = true, isPrivileged: Bool = false
    ) -> String {
        let environment = ProgramEnvironment.made(variables, home: home, user: user, isPrivileged: isPrivileged)
        return of.folder(Folders(of: "notes", isOwn: isOwn, in: environment)).path
    }

    @Test("The name of the program can be set, and counts for its folders") func programName() async {
        await #expect(processExitsWith: .success) {
            Folders.program = "renamed"
            if Folders.program != "renamed" || Folders.cache.name != "renamed" || Folders.data.name != "renamed" {
                exit(1)
            }
        }
    }

    @Test("The variable of systemd wins, with nothing appended; of a list, the first", arguments: cases)
    func systemd(of folder: Case) {
        guard let own = folder.own, let variable = folder.variable else { return }
        let both = [own: "/var/lib/notes", variable: "/x"]
        #expect(path(folder, both) == "/var/lib/notes")
        #expect(path(folder, both, isOwn: false) == "/x\(folder.appended)")
        #expect(path(folder, [own: "/a:/b"]) == "/a")
        #expect(path(folder, [own: "a:/b/"]) == "/b")
        #expect(path(folder, [own: "a"]) == folder.standard)
        #expect(path(folder, [own: ""]) == folder.standard)
        #expect(path(folder, both, isPrivileged: true) == folder.standard)
    }

    @Test("A variable with an absolute path counts, others and an empty one do not", arguments: cases)
    func variables(of folder: Case) {
        #expect(path(folder) == folder.standard)
        guard let variable = folder.variable else { return }
        #expect(path(folder, [variable: "/x"]) == "/x\(folder.appended)")
        #expect(path(folder, [variable: "/x//"]) == "/x\(folder.appended)")
        #expect(path(folder, [variable: "/"]) == (folder.appended.isEmpty ? "/" : folder.appended))
        #expect(path(folder, [variable: ""]) == folder.standard)
        #expect(path(folder, [variable: "x"]) == folder.standard)
        #expect(path(folder, [variable: "~/x"]) == folder.standard)
        #expect(path(folder, [variable: "/x"], isPrivileged: true) == folder.standard)
    }

    @Test("HOME counts before the password database; without both, paths are below /nonexistent", arguments: cases)
    func home(of folder: Case) {
        let isBelowHome = folder.standard.hasPrefix("/home/ann")
        let other = folder.standard.replacing("/home/ann", with: "/h")
        #expect(path(folder, ["HOME": "/h"]) == other)
        #expect(path(folder, ["HOME": "h"]) == folder.standard)
        #expect(
            path(folder, ["HOME": "/"])
                == (isBelowHome ? folder.standard.replacing("/home/ann", with: "") : folder.standard)
                || folder.name == "home")
        #expect(path(folder, home: nil) == folder.standard.replacing("/home/ann", with: "/nonexistent"))
        let environment = ProgramEnvironment.made([:], home: nil)
        #expect(folder.folder(Folders(of: "notes", isOwn: true, in: environment)).location.isKnown != isBelowHome)
    }

    @Test("The runtime directory of root is in /run") func root() {
        let runtime = Self.cases.first { $0.name == "runtime" }!
        #expect(path(runtime, home: "/root", user: 0) == "/run/notes")
    }

    @Test("A service as systemd starts it has its own directories, and XDG's in its home") func service() {
        let variables = [
            "STATE_DIRECTORY": "/var/lib/notes", "CACHE_DIRECTORY": "/var/cache/notes",
            "LOGS_DIRECTORY": "/var/log/notes", "RUNTIME_DIRECTORY": "/run/notes",
            "CONFIGURATION_DIRECTORY": "/etc/notes", "HOME": "/var/empty",
        ]
        let paths = Self.cases.map { path($0, variables) }
        #expect(
            paths == [
                "/etc/notes", "/var/lib/notes", "/var/empty/.local/share/notes", "/var/cache/notes", "/run/notes",
                "/var/log/notes", "/var/empty/Documents", "/tmp", "/var/empty",
            ])
    }

    @Test("A folder has a name, a base and a path relative to it") func parts() {
        let environment = ProgramEnvironment.made(["STATE_DIRECTORY": "/var/lib/notes"], home: "/h")
        let folders = Folders(of: "notes", isOwn: true, in: environment)
        #expect(folders.cache.base == "/h/.cache" && folders.cache.subpath == "notes" && folders.cache.name == "notes")
        #expect(folders.state.base == "/var/lib/notes" && folders.state.subpath == "" && folders.state.name == "notes")
        #expect(folders.cache / "a/b.json" == "/h/.cache/notes/a/b.json")
        #expect(folders.documents.path == "/h/Documents" && folders.documents.subpath == "")
        #expect(throws: FolderError(.baseDirectory, "/h/Documents")) { try folders.documents.remove() }
        let root = HomeFolder(location: FolderLocation("/"))
        #expect(root / "a" == "/a" && root.subfolder(Images.self).path == "/images" && root.name == "")
    }
}

// The types and names of folders.
extension FoldersTests {
    struct Images: Folder { let location: FolderLocation }
    struct UserFiles: Folder { let location: FolderLocation }
    struct User_Files: Folder { let location: FolderLocation }
    struct HTTPCache: Folder { let location: FolderLocation }
    struct V2Data: Folder { let location: FolderLocation }
    struct Generic<Value: Sendable>: Folder { let location: FolderLocation }
    struct Renamed: Folder {
        static var name: String { "My Files" }
        let location: FolderLocation
    }
    enum NotesSuite: FolderGroup {}

    @Test("A folder has the name of its type, in lower case with hyphens, or the one that it declares") func names() {
        #expect(Images.name == "images" && UserFiles.name == "user-files" && User_Files.name == "user-files")
        #expect(HTTPCache.name == "http-cache" && V2Data.name == "v2-data" && Generic<Int>.name == "generic")
        #expect(Renamed.name == "My Files" && NotesSuite.name == "notes-suite")
    }

    @Test("Folders nest to any depth; a name from outside must be one component") func nesting() throws {
        let base = CacheFolder(location: FolderLocation("/c", "notes"))
        let deep = base.subfolder(Images.self).subfolder(UserFiles.self).subfolder(Renamed.self)
        #expect(
            deep.path == "/c/notes/images/user-files/My Files" && deep.subpath == "notes/images/user-files/My Files")
        #expect(try base.subfolder(named: "2024").path == "/c/notes/2024")
        for name in ["", ".", "..", "a/b", "/", "a\0b", String(repeating: "n", count: 256)] {
            #expect(throws: FolderError.self) { try base.subfolder(named: name) }
            #expect(!Folders.isValid(program: name))
        }
    }

    struct Escaping: Folder {
        static let name = ".."
        let location: FolderLocation
    }

    @Test("A type with a name that is no component of a path ends the program") func invalidName() async {
        await #expect(processExitsWith: .failure) { _ = Folders.cache.subfolder(Escaping.self) }
    }

    @Test("The folders of a group are those of a program with its name, without the variables of systemd")
    func groups() async {
        await #expect(processExitsWith: .success) {
            for name in ["CONFIGURATION", "STATE", "CACHE", "RUNTIME", "LOGS"] {
                setenv("\(name)_DIRECTORY", "/own", 1)
            }
            for name in ["CONFIG_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"] { setenv("XDG_\(name)", "/x", 1) }
            setenv("XDG_DATA_HOME", "/d", 1)
            typealias Group = GroupFolders<NotesSuite>
            let paths = [
                Group.config.path, Group.state.path, Group.cache.path, Group.runtime.path, Group.logs.path,
                Group.data.path,
            ]
            let one = "/x/notes-suite"
            if paths != [one, one, one, one, "/x/log/notes-suite", "/d/notes-suite"] { exit(1) }
        }
    }

    @Test("The name of an executable that was replaced or removed is without the remark of the system") func removed() {
        #expect(ProgramEnvironment.executableName("/usr/bin/notes (deleted)") == "notes")
        #expect(ProgramEnvironment.executableName("/usr/bin/notes") == "notes")
    }

    @Test(
        "The user's choice of a folder for documents",
        arguments: [
            (#"XDG_DOCUMENTS_DIR="$HOME/Papers""#, "/h/Papers"),
            (#"XDG_DOCUMENTS_DIR="/p/My \"Papers\"""#, #"/p/My "Papers""#),
            (#"  XDG_DOCUMENTS_DIR="$HOME/""#, "/h"), (#"XDG_DOCUMENTS_DIR="$HOME""#, "/h"),
            ("XDG_DOCUMENTS_DIR=\"/a\"\nXDG_DOCUMENTS_DIR=\"/b\"\n", "/b"), ("# nothing\nXDG_MUSIC_DIR=\"/m\"", nil),
            (#"XDG_DOCUMENTS_DIR="Papers""#, nil), (#"XDG_DOCUMENTS_DIR=/p"#, nil), (#"XDG_DOCUMENTS_DIR="/p"#, nil),
            (#"#XDG_DOCUMENTS_DIR="/p""#, nil), ("", nil),
        ] as [(String, String?)])
    func documents(text: String, expected: String?) throws {
        #expect(UserDirectories.directory("DOCUMENTS", in: Array(text.utf8), home: "/h") == expected)
        let folder = try TemporaryFolder()
        try folder.write("user-dirs.dirs", text)
        let environment = ProgramEnvironment.made(["XDG_CONFIG_HOME": folder.path], home: "/h")
        let documents = Folders(of: "notes", isOwn: true, in: environment).documents
        #expect(documents.path == expected ?? "/h/Documents")
    }
}

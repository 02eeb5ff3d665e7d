import FoundationEssentials
import StandardFolders
import Testing

@testable import StoredValues

@Suite("The standard location of a session") struct SessionLocationTests {
    private static let variables = [
        "NOTES_SESSION_FILE": "/o/n.json", "STATE_DIRECTORY": "/s", "XDG_STATE_HOME": "/x", "HOME": "/h",
    ]

    private func path(
        _ variables: [String: String], program: String = "notes", home: String? = "/d", isPrivileged: Bool = false,
        isOverridable: Bool = true
    ) -> String? {
        let environment = ProgramEnvironment.made(variables, home: home, isPrivileged: isPrivileged)
        return try? SessionLocation.standard(isOverridable: isOverridable).path(of: program, in: environment)
    }

    @Test("The URL of a folder is that of a directory at its path") func url() {
        #expect(Folders.cache.url.isFileURL && Folders.cache.url.hasDirectoryPath)
        #expect(Folders.cache.url.path(percentEncoded: false) == Folders.cache.path + "/")
    }

    @Test("The first variable that is set counts") func order() {
        var variables = Self.variables
        #expect(path(variables) == "/o/n.json")
        #expect(path(variables, isOverridable: false) == "/s/session.json")
        variables["NOTES_SESSION_FILE"] = nil
        #expect(path(variables) == "/s/session.json")
        variables["STATE_DIRECTORY"] = nil
        #expect(path(variables) == "/x/notes/session.json")
        variables["XDG_STATE_HOME"] = nil
        #expect(path(variables) == "/h/.local/state/notes/session.json")
        variables["HOME"] = nil
        #expect(path(variables) == "/d/.local/state/notes/session.json")
        #expect(path(variables, home: nil) == nil)
    }

    @Test(
        "An empty variable, and a relative path where an absolute one is needed, count as not set",
        arguments: [
            (["NOTES_SESSION_FILE": ""], "/d/.local/state/notes/session.json"),
            (["NOTES_SESSION_FILE": "a.json"], "a.json"),
            (["STATE_DIRECTORY": ""], "/d/.local/state/notes/session.json"),
            (["STATE_DIRECTORY": "s", "HOME": "/h"], "/h/.local/state/notes/session.json"),
            (["STATE_DIRECTORY": "s:/a:/b"], "/a/session.json"),
            (["XDG_STATE_HOME": "x", "HOME": "/h"], "/h/.local/state/notes/session.json"),
            (["XDG_STATE_HOME": "", "HOME": "h"], "/d/.local/state/notes/session.json"),
        ])
    func unusable(variables: [String: String], expected: String) {
        #expect(path(variables) == expected)
    }

    @Test("A privileged process uses the password database only") func privileged() {
        #expect(path(Self.variables, isPrivileged: true) == "/d/.local/state/notes/session.json")
        #expect(path(Self.variables, home: nil, isPrivileged: true) == nil)
    }

    @Test(
        "The variable has the name of the program in capitals",
        arguments: [("notes", "NOTES"), ("notes-server2", "NOTES_SERVER2"), ("a.b c", "A_B_C"), ("é", "__")])
    func variable(program: String, prefix: String) {
        let path = path(["\(prefix)_SESSION_FILE": "/a.json"], program: program, home: nil)
        #expect(path == "/a.json")
    }

    @Test("A location of a file is that file") func file() throws {
        #expect(try SessionLocation.file("/a/b.json").path() == "/a/b.json")
    }
}

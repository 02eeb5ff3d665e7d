import DurableFiles
import Glibc
import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Sessions of root in a directory of another user", .asAnyUser)
struct UntrustedFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path(of: "home/server.json") }

    init() throws {
        folder = try TemporaryFolder()
        try folder.createFolder("home")
        try folder.createFolder("system")
        try folder.write("system/server.json", "{ \"port\": 7 }\n")
        try #require(lchown(folder.path(of: "home"), 4_321, 4_321) == 0)
    }

    private func linkFile(_ target: String) throws {
        try folder.link("home/server.json", to: target)
        try #require(lchown(path, 4_321, 4_321) == 0)
    }

    @Test("Root neither reads nor writes the target of another user's link, and reports why")
    func refused() throws {
        try linkFile("../system/server.json")
        let session = try Session(Server(), at: path)
        #expect(session.port == Server().port)
        guard case .invalid(let problem) = session.mirror.status.content else {
            throw TestSupportError("\(session.mirror.status)")
        }
        #expect(problem.message.contains("is a symbolic link of user 4321"), "\(problem.message)")
        #expect(throws: (any Error).self) { try session.commitBlocking { $0.port = 9 } }
        #expect(try folder.read("system/server.json") == "{ \"port\": 7 }\n")
        try? session.closeBlocking()
    }

    @Test("Root creates no file at the target of another user's dangling link")
    func dangling() throws {
        try linkFile("../system/new.json")
        let session = try Session(Server(), at: path)
        #expect { try session.commitBlocking { $0.port = 9 } } throws: { error in
            "\(error)".contains("is a symbolic link of user 4321")
        }
        #expect(access(folder.path(of: "system/new.json"), F_OK) != 0)
        try? session.closeBlocking()
    }

    @Test("Root follows the link of a user whom the options trust")
    func trusted() throws {
        try linkFile("../system/server.json")
        var options = SessionOptions()
        options.trustedOwners = [4_321]
        let session = try Session(Server(), at: path, options: options)
        #expect(session.port == 7)
        try session.commitBlocking { $0.port = 9 }
        #expect(try folder.read("system/server.json") == "{ \"port\": 9 }\n")
        try session.closeBlocking()
    }
}

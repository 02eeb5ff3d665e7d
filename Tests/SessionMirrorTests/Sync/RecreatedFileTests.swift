import Glibc
import SessionMirror
import TestSupport
import Testing

@Suite("Recreating a deleted file") struct RecreatedFileTests {
    @Test("A deleted file that a commit creates again has its previous permissions", arguments: [0o644, 0o660, 0o400])
    func permissions(mode: UInt32) throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "server.json")
        try folder.write("server.json", "{ \"port\": 1 }\n")
        chmod(path, mode)
        let session = try Session(Server(), at: path)
        try folder.remove("server.json")
        eventually("the file is reported missing") { session.mirror.status.content == .missing }
        try session.commitBlocking { $0.port = 2 }
        var status = stat()
        try #require(stat(path, &status) == 0)
        #expect(status.st_mode & 0o7777 == mode)
        try session.closeBlocking()
    }
}

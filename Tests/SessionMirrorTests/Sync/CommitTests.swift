import DurableFiles
import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Concurrent commits") struct CommitTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "server.json")
    }

    @Test("Concurrent commits of several threads are all in memory and in the file") func threads() throws {
        var options = SessionOptions()
        options.replacing = .fast
        let session = try Session(Server(), at: path, options: options)
        onThreads(4) { _ in
            for _ in 0..<50 {
                do { try session.commitBlocking { $0.port += 1 } } catch { Issue.record(error) }
            }
        }
        #expect(session.port == 8080 + 200)
        #expect(try JSON(parsing: folder.read("server.json"))["port"] == JSON(8080 + 200))
    }

    @Test("A commit that fails creates no file; one that changes nothing does") func failing() throws {
        struct Failure: Error {}
        let session = try Session(Server(), at: path)
        #expect(throws: Failure.self) { try session.commitBlocking { _ in throw Failure() } }
        #expect(try folder.names() == [])
        try session.commitBlocking { _ in }
        #expect(try folder.names() == ["server.json"])
        try session.closeBlocking()
    }

    @Test("Every update that returned before a concurrent close is in the file") func closing() throws {
        for _ in 0..<100 {
            try? folder.remove("server.json")
            let session = try Session(Server(), at: path)
            let last = Received<Int>()
            onThreads(2) { thread in
                if thread == 1 {
                    #expect(throws: Never.self) { try session.closeBlocking() }
                    return
                }
                for number in 1... {
                    guard (try? session.update { $0.port = number }) != nil else { break }
                    last.add(number)
                }
            }
            let port = (try? JSON(parsing: folder.read("server.json")))?["port"]
            #expect(port == last.items.last.map { JSON($0) })
        }
    }
}

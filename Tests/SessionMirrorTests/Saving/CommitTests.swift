import DurableFiles
import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Commits at the same time") struct CommitTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "server.json")
    }

    @Test("of threads that wait for one another's saves all count, and no closure is kept") func threads() throws {
        var options = SessionOptions()
        options.replacing = .fast
        let session = try Session(Server(), at: path, options: options)
        onThreads(4) { _ in
            for number in 0..<50 {
                // What it holds shows that the closure was given back: otherwise the program traps.
                let held = Received<Int>()
                do {
                    try session.commitBlocking { server in
                        held.add(number)
                        server.port += 1
                    }
                } catch { Issue.record(error) }
                #expect(held.items.last == number)
            }
        }
        #expect(session.port == 8080 + 200)
        #expect(try JSON(parsing: folder.read("server.json"))["port"] == JSON(8080 + 200))
    }
}

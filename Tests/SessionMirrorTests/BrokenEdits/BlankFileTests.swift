import LosslessJSON
import TestSupport
import Testing

@testable import SessionMirror

/// Files that are empty, or have white space and comments only.
@Suite("A file without a value") struct BlankFileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "server.json")
    }

    @Test("The session of a file without a value has the defaults", arguments: ["", "\n", "// to be done\n"])
    func opened(text: String) throws {
        try folder.write("server.json", text)
        let session = try Session(Server(), at: path)
        #expect(session.port == 8080 && session.mirror.status.content == .good)
        #expect(session.snapshot.origin == .initial && session.snapshot.json == [:])
        try session.closeBlocking()
        #expect(try folder.read("server.json") == text)
    }

    @Test("A change is written after the comments of a file without a value", arguments: [true, false])
    func saved(isCommitted: Bool) throws {
        try folder.write("server.json", "// The server.\n")
        let session = try Session(Server(), at: path)
        if isCommitted {
            try session.commitBlocking { $0.port = 9 }
        } else {
            try session.update { $0.port = 9 }
        }
        try session.closeBlocking()
        #expect(try folder.read("server.json") == "// The server.\n{\n  \"port\": 9\n}\n")
    }

    @Test("A commit without a change writes nothing into a file without a value") func unchanged() throws {
        try folder.write("server.json", "\n")
        let session = try Session(Server(), at: path)
        try session.commitBlocking { $0.port = 8080 }
        try session.closeBlocking()
        #expect(try folder.read("server.json") == "\n")
    }

    @Test("Emptying the file restores the defaults, without a problem") func emptied() throws {
        try folder.write("server.json", #"{ "port": 2 }"#)
        let observer = SessionObserver(try Session(Server(), at: path))
        try folder.write("server.json", "")
        eventually("the defaults are served") { observer.session.port == 8080 && observer.isUpToDate }
        #expect(observer.problems.isEmpty && observer.session.mirror.status.content == .good)
        try folder.write("server.json", #"{ "port": 3 }"#)
        eventually("the new value is loaded") { observer.session.port == 3 && observer.isUpToDate }
        #expect(observer.problems.isEmpty)
        observer.checkChain()
    }

    @Test("A file that is truncated for less than the settling time keeps its values") func truncated() throws {
        try folder.write("server.json", #"{ "port": 2 }"#)
        var options = SessionOptions()
        (options.settlingTime, options.settlingLimit) = (.seconds(100), .seconds(100))
        let observer = SessionObserver(try Session(Server(), at: path, options: options))
        let loads = observer.session.mirror.metrics.loads
        try folder.write("server.json", "")
        eventually("the empty file is loaded") { observer.session.mirror.metrics.loads > loads }
        try folder.write("server.json", #"{ "port": 3 }"#)
        eventually("the new value is loaded") { observer.session.port == 3 && observer.isUpToDate }
        #expect(observer.changes.items.map(\.new.port) == [3])
        #expect(observer.problems.isEmpty)
    }

    @Test("A save waits until a truncated file has settled, and then writes the changes into it") func pending() throws
    {
        try folder.write("server.json", #"{ "port": 2, "greeting": "hi" }"#)
        var options = SessionOptions()
        (options.settlingTime, options.settlingLimit) = (.seconds(1), .seconds(2))
        let session = try Session(Server(), at: path, options: options)
        try folder.write("server.json", "")
        try session.commitBlocking { $0.port = 4 }
        #expect(try JSON(parsing: folder.read("server.json")) == ["port": 4])
        #expect(session.port == 4 && session.greeting == "hello")
        #expect(session.mirror.status.content == .good)
        try session.closeBlocking()
    }
}

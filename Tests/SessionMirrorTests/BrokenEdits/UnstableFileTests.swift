import SessionMirror
import TestSupport
import Testing

@Suite("Files that change continuously") struct UnstableFileTests {
    @Test(
        "A file that changes during every read is reported, never loaded in part, and loaded once it settles",
        .needs(.python3))
    func unstable() throws {
        let environment = try ScenarioEnvironment()
        // Long enough to be written while it is being read.
        try environment.run(
            "{ printf '{ \"port\": 1'; head -c 16000000 /dev/zero | tr '\\0' ' '; echo '}'; } > server.json")
        var options = SessionOptions()
        // If the writer is delayed, a read may succeed, and the settling time begins again.
        options.settlingLimit = .milliseconds(50)
        let observer = SessionObserver(
            try Session(Server(), at: environment.folder.path(of: "server.json"), options: options))
        let writer = try environment.start(
            """
            python3 -c '
            import os
            file = os.open("server.json", os.O_RDWR)
            count = 1 << 32
            while not os.path.exists("enough"):
                for digit in (b"3", b"4") * 50:
                    os.pwrite(file, digit, 10)
                    # Two reads must not find the same content by chance.
                    count += 1
                    os.pwrite(file, bin(count)[2:].translate({48: 32, 49: 9}).encode(), 1000)
            os.pwrite(file, b"5", 10)
            '
            """)
        eventually("the problem is reported", within: .seconds(60)) {
            observer.problems.contains { $0.code == .unstable }
        }
        #expect([1, 3, 4].contains(observer.session.port))
        try environment.folder.write("enough", "")
        try writer.requireSuccess(of: "the writer")
        eventually("the last value is loaded") { observer.changes.items.last?.new.port == 5 }
        eventually("the recovery is reported") { observer.recoveries == observer.problems }
        #expect(observer.problems.allSatisfy { $0.code == .unstable })
        #expect(observer.changes.items.allSatisfy { [3, 4, 5].contains($0.new.port) })
        #expect(observer.session.mirror.status.content == .good)
        observer.checkChain()
    }

    @Test("A file that is replaced continuously is loaded without a problem, and its last version arrives")
    func endless()
        throws
    {
        let environment = try ScenarioEnvironment()
        try environment.run("put 1 > server.json")
        let observer = SessionObserver(try Session(Server(), at: environment.folder.path(of: "server.json")))
        let writer = try environment.start(
            "n=1; until [ -e enough ]; do n=$((n + 1)); put $n > new; mv new server.json; done; echo $n")
        eventually("a hundred versions are loaded") { observer.changes.count >= 100 }
        try environment.folder.write("enough", "")
        let line = try #require(try writer.line())
        let last = try #require(Int(line))
        try writer.requireSuccess(of: "the writer")
        eventually("the last version is loaded") { observer.changes.items.last?.new.port == last }
        #expect(observer.problems == [])
        observer.checkChain()
    }
}

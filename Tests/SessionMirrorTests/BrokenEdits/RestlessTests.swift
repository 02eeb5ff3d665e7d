import SessionMirror
import TestSupport
import Testing

@Suite("A file that never stops changing") struct RestlessTests {
    @Test("no half of it is served, it is told, and what it says in the end arrives", .needs(.python3))
    func restless() throws {
        let place = try ScenarioPlace()
        // So long that somebody writes while it is read.
        try place.run("{ printf '{ \"port\": 1'; head -c 16000000 /dev/zero | tr '\\0' ' '; echo '}'; } > server.json")
        var options = SessionOptions()
        // Where others keep the writer from its work, a reading succeeds now and then, and the waiting begins anew.
        options.settlingLimit = .milliseconds(50)
        let onlooker = Onlooker(try Session(Server(), at: place.folder.path(of: "server.json"), options: options))
        let writer = try place.start(
            """
            python3 -c '
            import os
            file = os.open("server.json", os.O_RDWR)
            while not os.path.exists("enough"):
                for digit in (b"3", b"4") * 50:
                    os.pwrite(file, digit, 10)
            os.pwrite(file, b"5", 10)
            '
            """)
        eventually("it is told", within: .seconds(60)) { onlooker.problems.contains { $0.code == .restless } }
        #expect([1, 3, 4].contains(onlooker.session.port))
        try place.folder.write("enough", "")
        try writer.requireSuccess(of: "the writer")
        eventually("the last value arrives") { onlooker.changes.items.last?.new.port == 5 }
        eventually("the end of it is told") { onlooker.recoveries == onlooker.problems }
        #expect(onlooker.problems.allSatisfy { $0.code == .restless })
        #expect(onlooker.changes.items.allSatisfy { [3, 4, 5].contains($0.new.port) })
        #expect(onlooker.session.mirror.status.content == .good)
        onlooker.checkChain()
    }

    @Test("versions that come one after the other without an end keep nobody from reading the newest") func endless()
        throws
    {
        let place = try ScenarioPlace()
        try place.run("put 1 > server.json")
        let onlooker = Onlooker(try Session(Server(), at: place.folder.path(of: "server.json")))
        let writer = try place.start(
            "n=1; until [ -e enough ]; do n=$((n + 1)); put $n > new; mv new server.json; done; echo $n")
        eventually("a hundred of them arrive") { onlooker.changes.count >= 100 }
        try place.folder.write("enough", "")
        let line = try #require(try writer.line())
        let last = try #require(Int(line))
        try writer.requireSuccess(of: "the writer")
        eventually("so does the last") { onlooker.changes.items.last?.new.port == last }
        #expect(onlooker.problems == [])
        onlooker.checkChain()
    }
}

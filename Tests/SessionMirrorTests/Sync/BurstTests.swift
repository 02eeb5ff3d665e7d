import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Bursts of changes") struct BurstTests {
    private static let updates = Thoroughness.isFull ? 1_000_000 : 50_000

    @Test("A burst of updates takes a handful of writes, and subscriber and file get the last value") func burst()
        throws
    {
        let folder = try TemporaryFolder()
        try folder.write("server.json", "{ \"port\": 0 } // kept\n")
        let session = try Session(Server(), at: folder.path(of: "server.json"))
        let begin = ContinuousClock.now
        let received = Received<Int>()
        let token = session.observe(\.port) { change in received.add(change.new) }
        for number in 1...Self.updates { try session.update { $0.port = number } }
        #expect(session.port == Self.updates)
        try session.closeBlocking()
        let writes = session.mirror.metrics.saves
        print("\(Self.updates) updates: \(writes) file writes, \(received.count) calls of a subscriber")
        // A long burst is saved every two seconds, and in each pause of this thread; it is long, and has pauses, with a
        // sanitizer or on a busy machine.
        let most = max(5, 2 + Int((ContinuousClock.now - begin) / .seconds(1)))
        #expect((1...most).contains(writes))
        #expect(try folder.read("server.json") == "{ \"port\": \(Self.updates) } // kept\n")
        eventually("the subscriber receives the last value") { received.items.last == Self.updates }
        #expect(zip(received.items, received.items.dropFirst()).allSatisfy { $0 < $1 })
        withExtendedLifetime(token) {}
    }

    @Test("Concurrent updates and commits lose nothing, and commits share writes")
    func threads() throws {
        let folder = try TemporaryFolder()
        let session = try Session<JSON>(["count": 0], at: folder.path(of: "a.json"))
        let (threads, rounds) = (8, 40)
        onThreads(threads) { thread in
            for round in 1...rounds {
                do {
                    try session.update { $0["count"] = JSON(($0["count"]?.int ?? 0) + 1) }
                    let count = try session.commitBlocking { json in
                        json["count"] = JSON((json["count"]?.int ?? 0) + 1)
                        json["t\(thread)"] = JSON(round)
                        return json["count"]?.int ?? 0
                    }
                    let written = try JSON(parsing: folder.read("a.json"))
                    #expect(written["t\(thread)"]?.int == round)
                    #expect(written["count"]?.int ?? 0 >= count)
                } catch {
                    Issue.record("\(error)")
                }
            }
        }
        try session.closeBlocking()
        #expect(try JSON(parsing: folder.read("a.json"))["count"]?.int == 2 * threads * rounds)
        #expect(session["count"]?.int == 2 * threads * rounds)
        let saves = session.mirror.metrics.saves
        print("\(threads * rounds) commits of \(threads) threads: \(saves) file writes")
        #expect(saves < threads * rounds)
    }
}

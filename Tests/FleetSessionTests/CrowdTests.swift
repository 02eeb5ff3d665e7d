import EtcdTestSupport
import Glibc
import LosslessJSON
import TestSupport
import Testing

/// Many machines in one process. `make torture-fleet` runs them with 500, as SESSIONMIRROR_CROWD says; then the proxies,
/// which are unoptimized, are slow, so that no test has a limit for times.
@Suite("A crowd of machines", .requiresEtcd, .ownThread, .serialized) struct CrowdTests {
    private static let count = environmentNumber("SESSIONMIRROR_CROWD") ?? 40

    @Test("A machine costs one connection and a bounded number of descriptors, threads and bytes")
    func costs() throws {
        let cluster = try EtcdCluster()
        let crowd = try CrowdProcess(endpoints: cluster.endpoints)
        defer { withExtendedLifetime(cluster) {} }
        let empty = try crowd.usage()
        try crowd.ask("open \(Self.count)")
        try crowd.ask("join \(Self.count)")
        for _ in 0..<3 { try crowd.ask("edit") }
        let usage = try crowd.usage()
        #expect(try crowd.ask("state") == ["connected": JSON(Self.count), "problems": 0, "disconnected": 0])
        // The watch of each machine, and connections for requests, which all share. A watch takes over an idle one.
        #expect((Self.count...Self.count * 5 / 4 + 20).contains(usage["sockets"]! - empty["sockets"]!))
        // The socket, two locks, and those of the session; the watches of all share one descriptor.
        #expect(usage["descriptors"]! - empty["descriptors"]! <= 5 * Self.count + 60)
        // On a busy machine the pools start more for a while, for jobs that do not end.
        try eventually("40 threads are enough") { try crowd.usage()["threads"]! <= 40 }
        #expect(usage["heapBytes"]! - empty["heapBytes"]! <= 200_000 * Self.count + 5_000_000)
        print("\(Self.count) machines use", usage, "without them", empty)
    }

    @Test("Machines that do not change the value keep their leases and write nothing")
    func idle() throws {
        let cluster = try EtcdCluster(members: 1)
        let crowd = try CrowdProcess(endpoints: cluster.endpoints, registrationLifetime: 6)
        try crowd.ask("open \(Self.count)")
        try crowd.ask("join \(Self.count)")
        let start = try cluster.calls()
        // The first renewal writes the revision that the machine has sent itself.
        #expect(start["LeaseGrant"] == Self.count)
        try eventually("all have renewed their leases four times") {
            try cluster.calls()["LeaseKeepAlive"] ?? 0 >= 4 * Self.count
        }
        let end = try cluster.calls()
        #expect(end["Put"] == start["Put"])
        #expect(end["LeaseGrant"] == start["LeaseGrant"])
        #expect(end["Range"] == start["Range"])
        // With each renewal, a transaction asks whether the watch has missed a change. It writes nothing.
        #expect((end["Txn"] ?? 0) - (start["Txn"] ?? 0) <= (end["LeaseKeepAlive"] ?? 0))
    }

    @Test("Of machines that commit at once, none starves, and each tries a bounded number of times")
    func commits() throws {
        let cluster = try EtcdCluster()
        // Each machine merges the commits of all others, so that more of them take time for another reason.
        let (count, commits) = (min(Self.count, 40), 3)
        let crowd = try CrowdProcess(endpoints: cluster.endpoints)
        try crowd.ask("open \(count)")
        try crowd.ask("join \(count)")
        let start = try cluster.calls()["Txn", default: 0]
        let answer = try crowd.ask("commit \(commits)")
        #expect(answer["commits"] == JSON(count * commits))
        let transactions = try cluster.calls()["Txn", default: 0] - start
        print("\(transactions) transactions for \(count * commits) commits")
        #expect(transactions <= 12 * count * commits)
    }

    @Test("After a restart of the store all connect again, without a storm and without reading the value")
    func restart() throws {
        let cluster = try EtcdCluster { $0.proxiesClients = true }
        let bytes = 20_000
        let crowd = try CrowdProcess(endpoints: cluster.endpoints, bytes: bytes)
        try crowd.ask("open \(Self.count)")
        try crowd.ask("join \(Self.count)")
        try crowd.ask("edit")
        func connections() -> Int { cluster.proxies.reduce(0) { $0 + $1.traffic.acceptedConnections } }
        func answerBytes() -> Int { cluster.proxies.reduce(0) { $0 + $1.traffic.answerBytes } }
        let before = (connections: connections(), bytes: answerBytes())
        for member in 0..<3 { cluster.kill(member) }
        let (clock, start) = (ContinuousClock(), ContinuousClock.now)
        try eventually("all have noticed it") { try crowd.ask("state")["connected"] == 0 }
        try eventually("each has tried several times") {
            try #require(clock.now - start < .seconds(60))
            return connections() - before.connections >= 9 * Self.count
        }
        let duration = (clock.now - start) / .seconds(1)
        let attempts = connections() - before.connections
        for member in 0..<3 { try cluster.restart(member) }
        try cluster.waitUntilHealthy()
        try crowd.ask("wait")
        // An attempt connects to up to three members, and delays double from half a second: the fifth attempt comes after
        // four seconds on average, though with 10 % of the longest delay after 0.8 s.
        print("\(attempts) connections by \(Self.count) machines in \(duration) s")
        #expect(Double(attempts) <= Double(3 * Self.count) * (5 + duration))
        let calls = try cluster.calls()
        #expect(calls["LeaseGrant"] == nil, "the leases survive")
        #expect(calls["Put"] == nil, "the entries are kept")
        #expect(calls["Watch"] ?? 0 >= Self.count)
        #expect(calls["Txn"] ?? 0 <= 6 * Self.count)
        #expect(answerBytes() - before.bytes < Self.count * bytes / 2)
        try crowd.ask("edit")
    }
}

/// A process of FleetCrowd.
private final class CrowdProcess {
    private let folder: TemporaryFolder
    private let program: RunningProgram

    init(endpoints: [String], bytes: Int = 1_000, registrationLifetime: Int = 60) throws {
        folder = try TemporaryFolder(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : TemporaryFolder.defaultParent)
        program = try Program.built("FleetCrowd").start(
            [folder.path(of: "machines"), "\(bytes)", "\(registrationLifetime)"] + endpoints, in: folder,
            input: .lines)
        _ = try program.line(with: "ready")
    }

    @discardableResult
    func ask(_ command: String) throws -> JSON {
        try program.say(command)
        guard let line = try program.line(), let answer = try? JSON(parsing: line), answer.object != nil else {
            throw TestSupportError("\(command): \(try program.readMessages())")
        }
        return answer
    }

    func usage() throws -> [String: Int] {
        let usage = try ask("usage")
        return ["sockets", "descriptors", "threads", "heapBytes"].reduce(into: [:]) { $0[$1] = usage[$1]?.int ?? 0 }
    }
}

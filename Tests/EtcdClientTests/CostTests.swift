import EtcdClient
import EtcdTestSupport
import Glibc
import TestSupport
import Testing

/// What clients cost. Serialized, because all clients of the process share a thread.
@Suite("costs of etcd clients", .requiresEtcd, .serialized)
struct ClientCostTests {
    private static let isolated = getenv("SESSIONMIRROR_ETCD_COSTS") != nil

    @Test("A thread with idle watches does not wake up", .enabled(if: isolated))
    func idle() async throws {
        let cluster = try EtcdCluster(members: 1)
        let client = try EtcdClient(EtcdOptions(endpoints: cluster.endpoints))
        _ = try await client.put("a", [1])
        let process = ObservedProcess(identifier: getpid())
        let before = try process.residentBytes()
        var watches: [EtcdWatch.Iterator] = []
        for _ in 0..<500 { watches.append(client.watch("a", from: 1).makeAsyncIterator()) }
        for index in watches.indices { for _ in 0..<2 { _ = try await watches[index].next() } }
        print("bytes per watch:", (try process.residentBytes() - before) / 500)
        func switches() throws -> Int { try process.threads().first { $0.name == "etcd-network" }!.switches }
        try await Task.sleep(for: .seconds(3))
        let start = try switches()
        try await Task.sleep(for: .seconds(10))
        print("switches while idle:", try switches() - start)
        let clock = ContinuousClock()
        for count in [100, 1_000, 100_000, 1_000_000] {
            let value = [UInt8](repeating: 7, count: count)
            var times: [Duration] = []
            for _ in 0..<50 { times.append(try await clock.measure { _ = try await client.put("b", value) }) }
            print("put of \(count), median with 500 watches:", times.sorted()[25])
        }
        let time = try await clock.measure {
            _ = try await client.put("a", [2])
            for index in watches.indices { _ = try await watches[index].next() }
        }
        print("put and 500 events:", time)
        watches = []
        await eventually("connections are closed") { try! process.descriptors() < 100 }
        var times: [Duration] = []
        for _ in 0..<100 { times.append(try await clock.measure { _ = try await client.put("b", [1]) }) }
        print("put of 1 without watches:", times.sorted()[50])
        times = []
        for _ in 0..<100 { times.append(try await clock.measure { _ = try await client.get("b") }) }
        print("get without watches:", times.sorted()[50])
        let control = try clock.measure { for _ in 0..<10 { try cluster.etcdctl("put", "b", "1") } }
        print("etcdctl put:", control / 10, try cluster.etcdctl("check", "perf", "--load", "s").suffix(300))
    }
}

import EtcdTestSupport
import TestSupport
import Testing

@Suite("etcd clusters", .requiresEtcd)
struct EtcdClusterTests {
    @Test("Three members elect a leader, and two elect another one after it is killed")
    func election() throws {
        let cluster = try EtcdCluster()
        #expect(cluster.endpoints.count == 3)
        let first = try cluster.waitForLeader()
        try cluster.etcdctl("put", "/settings", input: "{\"port\": 80}")
        cluster.kill(first)
        let second = try cluster.waitForLeader()
        #expect(second != first)
        #expect(try cluster.etcdctl("get", "/settings", "--print-value-only") == "{\"port\": 80}\n")
        try cluster.restart(first)
        try cluster.waitUntilHealthy()
        #expect(cluster.leader() == second)
    }

    @Test("The other members continue while one is paused")
    func paused() throws {
        let cluster = try EtcdCluster()
        let first = try cluster.waitForLeader()
        try cluster.pause(first)
        #expect(try cluster.waitForLeader() != first)
        try cluster.etcdctl("put", "a", "1")
        try cluster.resume(first)
        try cluster.waitUntilHealthy()
    }

    @Test("One member is a cluster too, and a compaction removes old revisions")
    func single() throws {
        let cluster = try EtcdCluster(members: 1)
        try cluster.etcdctl("put", "a", "1")
        try cluster.etcdctl("put", "a", "2")
        let revision = try cluster.compact()
        #expect(revision == 3)
        let error = #expect(throws: TestSupportError.self) { try cluster.etcdctl("get", "a", "--rev", "2") }
        #expect(error?.description.contains("has been compacted") == true)
    }

    @Test("What etcd writes is the error if it does not start")
    func refused() {
        let error = #expect(throws: TestSupportError.self) {
            try EtcdCluster(members: 1, arguments: ["--no-such-option"])
        }
        #expect(error?.description.contains("no-such-option") == true)
    }
}

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
            try EtcdCluster(members: 1) { $0.arguments = ["--no-such-option"] }
        }
        #expect(error?.description.contains("no-such-option") == true)
    }

    @Test("A member that is isolated makes no change, while the others elect a leader")
    func isolation() throws {
        let cluster = try EtcdCluster { $0.proxiesPeers = true }
        let first = try cluster.waitForLeader()
        try cluster.etcdctl("put", "a", "1")
        cluster.isolate(first)
        #expect(try cluster.waitForLeader() != first)
        try cluster.etcdctl("put", "a", "2")
        let (endpoint, get) = ([cluster.endpoints[first]], ["get", "a", "--print-value-only"])
        #expect(try cluster.etcdctl(get + ["--consistency", "s"], at: endpoint, within: .seconds(30)) == "1\n")
        #expect(throws: TestSupportError.self) {
            try cluster.etcdctl(get, at: endpoint, within: .milliseconds(200))
        }
        cluster.reconnect(first)
        try cluster.waitUntilHealthy()
        #expect(try cluster.etcdctl(get, at: endpoint, within: .seconds(30)) == "2\n")
    }

    @Test("Clients reach members through their proxies")
    func proxied() throws {
        let cluster = try EtcdCluster(members: 1) { $0.proxiesClients = true }
        try cluster.etcdctl(["put", "a", "1"], at: cluster.endpoints, within: .seconds(30))
        cluster.proxies[0].dropAnswers()
        #expect(throws: TestSupportError.self) {
            try cluster.etcdctl(["put", "a", "2"], at: cluster.endpoints, within: .milliseconds(500))
        }
        #expect(cluster.proxies[0].traffic.droppedBytes > 0)
        cluster.proxies[0].resume()
        try cluster.etcdctl(["put", "a", "3"], at: cluster.endpoints, within: .seconds(30))
    }
}

import Glibc
import TestSupport
import Testing

@testable import EtcdTestSupport

@Suite("etcd clusters", .requiresEtcd, .serialized)
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
        // On a busy machine they may have elected another one since.
        _ = try cluster.waitForLeader()
        let get = ["get", "/settings", "--print-value-only"]
        let answer = try cluster.etcdctl(get, at: [cluster.endpoints[first]], within: .seconds(30))
        #expect(answer == "{\"port\": 80}\n")
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

    @Test("Members with certificates answer clients with certificates only", .needs(.openssl))
    func certificates() throws {
        let certificates = try TestCertificates(in: TemporaryFolder())
        let cluster = try EtcdCluster(members: 1) {
            $0.certificates = certificates
            $0.requiresClientCertificates = true
            $0.proxiesClients = true
        }
        #expect(cluster.endpoints[0].hasPrefix("https://"))
        try cluster.etcdctl("put", "a", "1")
        try cluster.etcdctl(["put", "a", "1"], at: cluster.endpoints, within: .seconds(30))
        let stranger = try TestCertificates(in: TemporaryFolder()).issue("root")
        let credentials = ["--cert", stranger.certificate, "--key", stranger.key]
        #expect(throws: TestSupportError.self) {
            try cluster.etcdctl(["get", "a"] + credentials, at: cluster.endpoints, within: .milliseconds(500))
        }
    }

    /// In a process of its own, the same test starts a cluster, prints its processes and the folder, and waits.
    @Test("Nothing is left of a cluster when its process is killed")
    func killed() throws {
        guard getenv(Self.role) == nil else {
            let cluster = try EtcdCluster()
            let parts = ["cluster"] + cluster.processes.map(String.init) + [cluster.folder.path]
            try Descriptor.write(Array("\(parts.joined(separator: " "))\n".utf8), to: STDOUT_FILENO)
            while true { pause() }
        }
        let folder = try TemporaryFolder()
        let tests = try Program.built("SessionMirrorPackageTests.xctest").start(
            ["--testing-library", "swift-testing", "--filter", "EtcdClusterTests/killed"], in: folder,
            environment: [Self.role: "1"])
        let parts = try tests.line(with: "cluster ").split(separator: " ").map(String.init)
        try #require(parts.count == 5)
        tests.send(SIGKILL)
        eventually("no process is left") { parts[1...3].allSatisfy(Self.hasEnded) }
        eventually("no file is left") { access(parts[4], F_OK) != 0 }
    }

    private static let role = "SESSIONMIRROR_HOLDS_CLUSTER"

    /// Whether the process has ended; it may remain as a zombie of its new parent.
    private static func hasEnded(_ process: String) -> Bool {
        (try? Descriptor.contents(of: "/proc/\(process)/cmdline"))?.isEmpty ?? true
    }

    @Test("Nothing is left of a cluster when it is released, even if a member is paused")
    func released() throws {
        var cluster: EtcdCluster? = try EtcdCluster()
        let (processes, path) = try (#require(cluster?.processes), #require(cluster?.folder.path))
        try cluster?.pause(1)
        cluster = nil
        for process in processes { #expect(kill(process, 0) != 0) }
        #expect(access(path, F_OK) != 0)
    }
}

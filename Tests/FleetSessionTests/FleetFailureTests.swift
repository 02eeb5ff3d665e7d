import EtcdTestSupport
import FleetSession
import Glibc
import TestSupport
import Testing

@Suite("What can go wrong in a fleet", .requiresEtcd, .ownThread, .serialized) struct FleetFailureTests {
    @Test("Without an endpoint the session serves and saves, and says since when; later the changes are sent")
    func noEndpoint() async throws {
        let cluster = try EtcdCluster(members: 1)
        cluster.kill(0)
        let began = ContinuousClock.now
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints)
        await eventually("the status says so") {
            guard case .disconnected(let since, let reason) = one.fleet.status.connection else { return false }
            return since >= began && reason.contains(cluster.endpoints[0])
        }
        try one.edit("{\"port\": 2}")
        await eventually("the edit is loaded, and known to be unsent") {
            one.value.port == 2 && one.fleet.status.hasUnsentChanges
        }
        try one.session.update { $0.host = "b" }
        try await one.session.flush()
        #expect(try one.text.contains("\"host\": \"b\""))
        let two = try Machine("two", endpoints: cluster.endpoints, FleetOptions(commitTimeout: .milliseconds(100)))
        await #expect(throws: EtcdError.self) { try await two.fleet.commit { $0.next = 1 } }
        try cluster.restart(0)
        await one.waitUntilSent()
        await eventually("the store has the text of the file") { (try? cluster.text == one.text) == true }
        #expect(one.session.mirror.status.fleet?.connection == .connected)
    }

    @Test("Changes travel while the leader is killed, and another one is elected")
    func leaderKilled() async throws {
        let cluster = try EtcdCluster()
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints)
        let two = try Machine("two", endpoints: cluster.endpoints.reversed())
        await eventually("both have the value") { two.value.port == 1 }
        cluster.kill(try cluster.waitForLeader())
        try one.edit("{\"port\": 2}")
        await eventually("the edit arrives") { two.value.port == 2 }
        #expect(one.conflicts.isEmpty && two.conflicts.isEmpty)
    }

    @Test("A member without the others is left for another one")
    func isolated() async throws {
        let cluster = try EtcdCluster { $0.proxiesPeers = true }
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints)
        let two = try Machine("two", endpoints: cluster.endpoints)
        await eventually("both have the value") { two.value.port == 1 }
        for member in 0..<3 {
            cluster.isolate(member)
            let port = 10 + member
            try one.session.update { $0.port = port }
            await eventually("the change arrives without member \(member)") { two.value.port == port }
            cluster.reconnect(member)
            try cluster.waitUntilHealthy()
        }
    }

    @Test("A machine that missed revisions which were compacted reads the value again")
    func compacted() async throws {
        let cluster = try EtcdCluster(members: 1) { $0.proxiesClients = true }
        let one = try Machine("one", text: "{\"port\": 1, \"host\": \"a\"}", endpoints: cluster.endpoints)
        await one.waitUntilSent()
        cluster.proxies[0].stop()
        for port in 2...5 { try cluster.etcdctl("put", Machine.key, "{\"port\": \(port), \"host\": \"a\"}") }
        try cluster.compact()
        try one.edit("{\"port\": 1, \"host\": \"b\"}")
        cluster.proxies[0].cut()
        cluster.proxies[0].resume()
        await eventually("both changes are merged") { one.value.port == 5 && one.value.host == "b" }
        await eventually("the edit is sent") { (try? cluster.text.contains("\"b\"")) == true }
    }

    @Test("A commit whose answer is lost counts once")
    func lostAnswer() async throws {
        let cluster = try EtcdCluster(members: 1) { $0.proxiesClients = true }
        let one = try Machine("one", endpoints: cluster.endpoints)
        _ = try await one.fleet.commit { $0.next = 10 }
        for round in 1...3 {
            // Its transaction must find what it expects: it does not learn what else the store has.
            _ = try await one.fleet.commit { $0.next }
            cluster.proxies[0].dropAnswers()
            let fleet = one.fleet
            async let next = fleet.commit { value in
                value.next += 1
                return value.next
            }
            await eventually("the store has the change") {
                (try? cluster.text.contains("\"next\": \(10 + round)")) == true
            }
            // Another program changes the text again before the machine learns what became of its commit.
            if round == 2 {
                try cluster.etcdctl("put", Machine.key, try cluster.text.replacing("}", with: ", \"x\": 1}"))
            }
            cluster.proxies[0].cut()
            cluster.proxies[0].resume()
            #expect(try await next == 10 + round)
            #expect(try cluster.text.contains("\"next\": \(10 + round)"))
        }
    }

    @Test("The file of a deleted key stays; its next change creates the key again")
    func deletedKey() async throws {
        let cluster = try EtcdCluster(members: 1)
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints)
        await one.waitUntilSent()
        let revision = one.fleet.status.revision
        try cluster.etcdctl("del", Machine.key)
        await eventually("the deletion is known") { one.fleet.status.revision > revision }
        #expect(one.fleet.status.isKeyMissing)
        #expect(try one.text == "{\"port\": 1}")
        #expect(try cluster.etcdctl("get", Machine.key) == "")
        try one.edit("{\"port\": 2}")
        await eventually("the key is there again") { (try? cluster.text) == "{\"port\": 2}" }
        await eventually("the status says so") { !one.fleet.status.isKeyMissing }
    }

    @Test("A deleted key is created again where the options say so")
    func recreatedKey() async throws {
        let cluster = try EtcdCluster(members: 1)
        var options = FleetOptions()
        options.deletedKey = .recreateKey
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints, options)
        await one.waitUntilSent()
        try cluster.etcdctl("del", Machine.key)
        await eventually("the key is there again") { (try? cluster.text) == "{\"port\": 1}" }
    }

    @Test("A value larger than etcd accepts is told, and sent once it is smaller")
    func tooLarge() async throws {
        let cluster = try EtcdCluster(members: 1)
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints)
        await one.waitUntilSent()
        try one.edit("{\"port\": 2, \"host\": \"\(String(repeating: "x", count: 2_000_000))\"}")
        await eventually("the problem is told") { one.fleet.status.problem?.code == .unsaved }
        #expect(one.fleet.status.hasUnsentChanges)
        #expect(one.isConnected)
        try one.edit("{\"port\": 2, \"host\": \"x\"}")
        await eventually("the value is sent") { (try? cluster.text) == "{\"port\": 2, \"host\": \"x\"}" }
        await eventually("the problem has ended") { one.fleet.status.problem == nil }
    }

    @Test("A store that was restored from a backup, with lower revisions, is followed")
    func restored() async throws {
        let folder = try TemporaryFolder()
        let first = try EtcdCluster(members: 1)
        for _ in 0..<20 { try first.etcdctl("put", "other", "1") }
        do {
            let one = try Machine("one", in: folder, text: "{\"port\": 1}", endpoints: first.endpoints)
            await one.waitUntilSent()
            await one.fleet.close()
        }
        let second = try EtcdCluster(members: 1)
        try second.etcdctl("put", Machine.key, "{\"port\": 1, \"host\": \"old\"}")
        let one = try Machine("one", in: folder, endpoints: second.endpoints)
        await eventually("the value of the store is merged") { one.value.host == "old" }
        try one.session.update { $0.next = 5 }
        await eventually("a change is sent") { (try? second.text.contains("\"next\": 5")) == true }
    }

    @Test("A member that no longer answers is left for another one")
    func paused() async throws {
        let cluster = try EtcdCluster()
        var options = FleetOptions()
        options.registrationLifetime = .seconds(5)
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints, options)
        let two = try Machine("two", endpoints: cluster.endpoints, options)
        await eventually("both have the value") { two.value.port == 1 }
        for member in 0..<3 {
            try cluster.pause(member)
            let port = 10 + member
            try one.session.update { $0.port = port }
            await eventually("the change arrives without member \(member)") { two.value.port == port }
            try cluster.resume(member)
            try cluster.waitUntilHealthy()
        }
        #expect(one.conflicts.isEmpty && two.conflicts.isEmpty)
    }

    @Test("A machine that may not read or write any more says so, and goes on when it may again")
    func authentication() async throws {
        let cluster = try EtcdCluster(members: 1)
        let folder = try TemporaryFolder()
        try folder.write("credentials", "service:secret\n")
        chmod(folder.path(of: "credentials"), 0o600)
        try cluster.etcdctl("user", "add", "root:root")
        try cluster.etcdctl("user", "grant-role", "root", "root")
        try cluster.etcdctl("user", "add", "service:secret")
        try cluster.etcdctl("role", "add", "settings")
        try cluster.etcdctl("role", "grant-permission", "settings", "--prefix=true", "readwrite", Machine.key)
        try cluster.etcdctl("user", "grant-role", "service", "settings")
        try cluster.etcdctl("auth", "enable")
        let one = try Machine(
            "one", text: "{\"port\": 1}", endpoints: cluster.endpoints,
            credentialsFile: folder.path(of: "credentials"))
        await one.waitUntilSent()
        try cluster.etcdctl("--user", "root:root", "user", "passwd", "service", "--interactive=false", input: "other\n")
        cluster.kill(0)
        try cluster.restart(0)
        await eventually("the password is refused") {
            guard case .disconnected(_, let reason) = one.fleet.status.connection else { return false }
            return reason.contains("credentials")
        }
        #expect(!one.fleet.status.description.contains("secret"))
        try one.edit("{\"port\": 2}")
        await eventually("the edit waits") { one.fleet.status.hasUnsentChanges }
        try folder.write("credentials", "service:other\n")
        await one.waitUntilSent()
        let text = try cluster.etcdctl("--user", "root:root", "get", Machine.key, "--print-value-only")
        #expect(text == "{\"port\": 2}\n")
    }

    @Test("Bad options are errors at once")
    func badOptions() throws {
        let folder = try TemporaryFolder()
        let session = try Session(Settings(), at: folder.path(of: "settings.json"))
        let etcd = EtcdOptions(endpoints: ["http://127.0.0.1:1"])
        #expect(throws: EtcdError.self) { try FleetSession(session, key: "", etcd: etcd) }
        #expect(throws: EtcdError.self) { try FleetSession(session, key: "/a", etcd: EtcdOptions(endpoints: [])) }
        var options = FleetOptions()
        options.localPaths = [""]
        #expect(throws: EtcdError.self) { try FleetSession(session, key: "/a", etcd: etcd, options: options) }
        #expect(throws: SessionError.self) {
            try FleetSession(Session(inMemory: Settings()), key: "/a", etcd: etcd)
        }
    }
}

extension FleetOptions {
    fileprivate init(commitTimeout: Duration) {
        self.init()
        self.commitTimeout = commitTimeout
    }
}

import EtcdTestSupport
import FleetSession
import Glibc
import TestSupport
import Testing

@Suite("What can go wrong in a fleet", .requiresEtcd, .serialized) struct FleetFailureTests {
    /// The text of the key.
    private func text(in cluster: EtcdCluster) throws -> String {
        String(try cluster.etcdctl("get", Machine.key, "--print-value-only").dropLast())
    }

    private func waitUntilSent(_ machine: Machine) async {
        await eventually("\(machine.name) is in agreement") {
            machine.isConnected && !machine.fleet.status.hasUnsentChanges && machine.fleet.status.revision > 0
        }
    }

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
        await waitUntilSent(one)
        await eventually("the store has the text of the file") { (try? text(in: cluster) == one.text) == true }
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
        await waitUntilSent(one)
        cluster.proxies[0].stop()
        for port in 2...5 { try cluster.etcdctl("put", Machine.key, "{\"port\": \(port), \"host\": \"a\"}") }
        try cluster.compact()
        try one.edit("{\"port\": 1, \"host\": \"b\"}")
        cluster.proxies[0].cut()
        cluster.proxies[0].resume()
        await eventually("both changes are merged") { one.value.port == 5 && one.value.host == "b" }
        await eventually("the edit is sent") { (try? text(in: cluster).contains("\"b\"")) == true }
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
                (try? text(in: cluster).contains("\"next\": \(10 + round)")) == true
            }
            // Another program changes the text again before the machine learns what became of its commit.
            if round == 2 {
                try cluster.etcdctl("put", Machine.key, try text(in: cluster).replacing("}", with: ", \"x\": 1}"))
            }
            cluster.proxies[0].cut()
            cluster.proxies[0].resume()
            #expect(try await next == 10 + round)
            #expect(try text(in: cluster).contains("\"next\": \(10 + round)"))
        }
    }

    @Test("A value that is no JSON changes nothing, is told with its place, and is not overwritten")
    func noJSON() async throws {
        let cluster = try EtcdCluster(members: 1)
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints)
        await waitUntilSent(one)
        try cluster.etcdctl("put", Machine.key, "{\n  \"port\": }")
        await eventually("the problem is told") { one.fleet.status.problem?.code == .syntax }
        let problem = try #require(one.fleet.status.problem)
        #expect(problem.description.hasPrefix("\(Machine.key) in etcd, revision"))
        #expect(problem.location?.line == 2)
        #expect(one.session.mirror.status.fleet?.problem == problem)
        try one.edit("{\"port\": 2}")
        await eventually("the edit is loaded") { one.value.port == 2 }
        await eventually("it is known to be unsent") { one.fleet.status.hasUnsentChanges }
        #expect(try text(in: cluster) == "{\n  \"port\": }")
        await #expect(throws: SessionProblem.self) { try await one.fleet.commit { $0.next += 1 } }
        try cluster.etcdctl("put", Machine.key, "{\"port\": 1, \"host\": \"b\"}")
        await eventually("the mended value is merged") { one.value.host == "b" && one.fleet.status.problem == nil }
        await waitUntilSent(one)
        #expect(one.value.port == 2)
        await eventually("the recovery is reported") { one.reports.items.contains(.recovered(problem)) }
    }

    @Test("A value that a machine rejects is told with who wrote it; the last good value stays")
    func rejected() async throws {
        let cluster = try EtcdCluster(members: 1)
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints)
        let two = try Machine("two", endpoints: cluster.endpoints) { value in
            if value.port > 100 { throw ValidationError("must be at most 100", at: "/port") }
        }
        await eventually("both have the value") { two.value.port == 1 }
        try one.edit("{\n  \"port\": 1000\n}")
        await eventually("the problem is told") { two.fleet.status.problem != nil }
        let problem = try #require(two.fleet.status.problem)
        #expect(problem.path == "/port")
        #expect(problem.description.contains(", by one:"))
        #expect(problem.description.contains("at most 100"))
        #expect(problem.location != nil)
        #expect(two.value.port == 1)
        #expect(try two.text == "{\"port\": 1}")
        try two.session.update { $0.host = "b" }
        try await two.session.flush()
        await eventually("the change waits") { two.fleet.status.hasUnsentChanges }
        #expect(try text(in: cluster).contains("1000"))
        try one.edit("{\n  \"port\": 99\n}")
        await eventually("both changes are merged") { two.value.port == 99 && one.value.host == "b" }
        await eventually("the problem has ended") { two.fleet.status.problem == nil }
    }

    @Test("A local edit mends a value that the machine rejects")
    func mended() async throws {
        let cluster = try EtcdCluster(members: 1)
        var options = SessionOptions()
        options.conflicts = .memoryWins
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints)
        let two = try Machine("two", endpoints: cluster.endpoints, options: options) { value in
            if value.port > 100 { throw ValidationError("must be at most 100", at: "/port") }
        }
        await eventually("both have the value") { two.value.port == 1 }
        try one.edit("{\"port\": 1000}")
        await eventually("the problem is told") { two.fleet.status.problem != nil }
        try two.edit("{\"port\": 50}")
        await eventually("the value is mended everywhere") { one.value.port == 50 }
        await eventually("the problem has ended") { two.fleet.status.problem == nil }
        #expect(two.conflicts.count == 1)
    }

    @Test("While the file is invalid, nothing is merged into it nor sent; then both are")
    func invalidFile() async throws {
        let cluster = try EtcdCluster(members: 1)
        let one = try Machine("one", text: "{\"port\": 1, \"host\": \"a\"}", endpoints: cluster.endpoints)
        await waitUntilSent(one)
        try one.edit("{\"port\": 2, \"host\":")
        try cluster.etcdctl("put", Machine.key, "{\"port\": 1, \"host\": \"b\"}")
        await eventually("the machine is behind") { one.fleet.status.versionsBehind > 0 }
        #expect(try one.text == "{\"port\": 2, \"host\":")
        try one.edit("{\"port\": 2, \"host\": \"a\"}")
        await eventually("both changes are merged") { one.value.port == 2 && one.value.host == "b" }
        await waitUntilSent(one)
        #expect(one.fleet.status.versionsBehind == 0)
        #expect(try text(in: cluster) == "{\"port\": 2, \"host\": \"b\"}")
    }

    @Test("The file of a deleted key stays; its next change creates the key again")
    func deletedKey() async throws {
        let cluster = try EtcdCluster(members: 1)
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints)
        await waitUntilSent(one)
        let revision = one.fleet.status.revision
        try cluster.etcdctl("del", Machine.key)
        await eventually("the deletion is known") { one.fleet.status.revision > revision }
        #expect(one.fleet.status.isKeyMissing)
        #expect(try one.text == "{\"port\": 1}")
        #expect(try cluster.etcdctl("get", Machine.key) == "")
        try one.edit("{\"port\": 2}")
        await eventually("the key is there again") { (try? text(in: cluster)) == "{\"port\": 2}" }
        await eventually("the status says so") { !one.fleet.status.isKeyMissing }
    }

    @Test("A deleted key is created again where the options say so")
    func recreatedKey() async throws {
        let cluster = try EtcdCluster(members: 1)
        var options = FleetOptions()
        options.deletedKey = .recreateKey
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints, options)
        await waitUntilSent(one)
        try cluster.etcdctl("del", Machine.key)
        await eventually("the key is there again") { (try? text(in: cluster)) == "{\"port\": 1}" }
    }

    @Test("A value larger than etcd accepts is told, and sent once it is smaller")
    func tooLarge() async throws {
        let cluster = try EtcdCluster(members: 1)
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints)
        await waitUntilSent(one)
        try one.edit("{\"port\": 2, \"host\": \"\(String(repeating: "x", count: 2_000_000))\"}")
        await eventually("the problem is told") { one.fleet.status.problem?.code == .unsaved }
        #expect(one.fleet.status.hasUnsentChanges)
        #expect(one.isConnected)
        try one.edit("{\"port\": 2, \"host\": \"x\"}")
        await eventually("the value is sent") { (try? text(in: cluster)) == "{\"port\": 2, \"host\": \"x\"}" }
        await eventually("the problem has ended") { one.fleet.status.problem == nil }
    }

    @Test("A store that was restored from a backup, with lower revisions, is followed")
    func restored() async throws {
        let folder = try TemporaryFolder()
        let first = try EtcdCluster(members: 1)
        for _ in 0..<20 { try first.etcdctl("put", "other", "1") }
        do {
            let one = try Machine("one", in: folder, text: "{\"port\": 1}", endpoints: first.endpoints)
            await waitUntilSent(one)
            await one.fleet.close()
        }
        let second = try EtcdCluster(members: 1)
        try second.etcdctl("put", Machine.key, "{\"port\": 1, \"host\": \"old\"}")
        let one = try Machine("one", in: folder, endpoints: second.endpoints)
        await eventually("the value of the store is merged") { one.value.host == "old" }
        try one.session.update { $0.next = 5 }
        await eventually("a change is sent") { (try? text(in: second).contains("\"next\": 5")) == true }
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
        await waitUntilSent(one)
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
        await waitUntilSent(one)
        let text = try cluster.etcdctl("--user", "root:root", "get", Machine.key, "--print-value-only")
        #expect(text == "{\"port\": 2}\n")
    }

    @Test("A file that is missing or invalid at the start takes nothing from the other machines")
    func missingAtStart() async throws {
        let cluster = try EtcdCluster(members: 1)
        let folder = try TemporaryFolder()
        let text = "{\"port\": 1, \"host\": \"a\", \"tags\": {\"x\": 1}}"
        let one = try Machine("one", text: text, endpoints: cluster.endpoints)
        await waitUntilSent(one)
        for broken in [nil, "{\"port\": "] {
            do {
                let two = try Machine("two", in: folder, endpoints: cluster.endpoints)
                await eventually("the second machine has the value") { two.value == one.value }
                await two.fleet.close()
                try await two.session.close()
            }
            if let broken { try folder.write("settings.json", broken) } else { try folder.remove("settings.json") }
            let two = try Machine("two", in: folder, endpoints: cluster.endpoints)
            let next = one.value.next + 1
            #expect(
                try await two.fleet.commit { value in
                    value.next += 1
                    return value.next
                } == next)
            try one.session.update { $0.port += 1 }
            if broken != nil { try two.edit(text) }
            await eventually("the second machine has all again") { two.value == one.value && two.value.next == next }
            #expect(one.value.host == "a" && one.value.tags == ["x": 1])
            await two.fleet.close()
            try await two.session.close()
        }
    }

    @Test("A commit before the first exchange takes nothing from a file that is invalid then")
    func invalidBeforeExchange() async throws {
        let cluster = try EtcdCluster(members: 1) { $0.proxiesClients = true }
        try cluster.etcdctl("put", Machine.key, "{\"port\": 2}")
        cluster.proxies[0].stop()
        let text = "{\"port\": 1, \"host\": \"a\", \"tags\": {\"x\": 1}}"
        let one = try Machine("one", text: text, endpoints: cluster.endpoints)
        try one.edit(String(text.dropLast()))
        await eventually("the problem is known") {
            if case .invalid = one.session.mirror.status.content { true } else { false }
        }
        cluster.proxies[0].cut()
        cluster.proxies[0].resume()
        #expect(try await one.fleet.commit(Machine.increment) == 1)
        try one.edit(text)
        await eventually("the file has both") { one.value.port == 2 && one.value.next == 1 }
        await eventually("the rest is sent") { (try? self.text(in: cluster).contains("\"x\": 1")) == true }
        #expect(one.value.host == "a" && one.value.tags == ["x": 1])
        #expect(one.conflicts.map(\.path) == ["/port"])
    }

    @Test("A program may change back what has just arrived, and a person after a second")
    func changedBack() async throws {
        let cluster = try EtcdCluster(members: 1)
        let one = try Machine("one", text: "{\"port\": 1, \"host\": \"a\"}", endpoints: cluster.endpoints)
        let two = try Machine("two", endpoints: cluster.endpoints)
        await eventually("both have the value") { two.value.port == 1 }
        try one.session.update { $0.port = 2 }
        await eventually("the change arrives") { two.value.port == 2 }
        try two.session.update { $0.port = 1 }
        _ = try await two.fleet.commit { $0.next = 1 }
        #expect(two.value.port == 1)
        await eventually("the value that the program changed back arrives") {
            one.value.port == 1 && one.value.next == 1
        }
        try one.session.update { $0.host = "b" }
        await eventually("the change arrives") { two.value.host == "b" }
        await Machine.staleWriteWindowPasses()
        try two.edit(two.text.replacing("\"b\"", with: "\"a\""))
        await eventually("the value that a person changed back arrives") { one.value.host == "a" }
        #expect(one.conflicts.isEmpty && two.conflicts.isEmpty)
    }

    @Test("A value that is rejected is tried again only after a change")
    func rejectedOnce() async throws {
        let cluster = try EtcdCluster(members: 1)
        let checks = Received<Int>()
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints) { value in
            checks.add(value.port)
            if value.port > 100 { throw ValidationError("must be at most 100", at: "/port") }
        }
        await waitUntilSent(one)
        try cluster.etcdctl("put", Machine.key, "{\"port\": 1000}")
        await eventually("the problem is told") { one.fleet.status.problem != nil }
        let deadline = ContinuousClock.now + .seconds(3)
        await eventually("three seconds have passed") { .now > deadline }
        // Once for the merged value and once for the place in the text, each time it is tried: once a second.
        #expect(checks.items.filter { $0 == 1_000 }.count <= 12)
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

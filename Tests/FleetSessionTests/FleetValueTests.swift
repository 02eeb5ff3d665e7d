import EtcdTestSupport
import FleetSession
import TestSupport
import Testing

@Suite("Values and files of a fleet that cannot be used", .requiresEtcd, .ownThread, .serialized)
struct FleetValueTests {
    @Test("A value that is no JSON changes nothing, is told with its place, and is not overwritten")
    func noJSON() async throws {
        let cluster = try EtcdCluster(members: 1)
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints)
        await one.waitUntilSent()
        try cluster.etcdctl("put", Machine.key, "{\n  \"port\": }")
        await eventually("the problem is told") { one.fleet.status.problem?.code == .syntax }
        let problem = try #require(one.fleet.status.problem)
        #expect(problem.description.hasPrefix("\(Machine.key) in etcd, revision"))
        #expect(problem.location?.line == 2)
        #expect(one.session.mirror.status.fleet?.problem == problem)
        try one.edit("{\"port\": 2}")
        await eventually("the edit is loaded") { one.value.port == 2 }
        await eventually("it is known to be unsent") { one.fleet.status.hasUnsentChanges }
        #expect(try cluster.text == "{\n  \"port\": }")
        await #expect(throws: SessionProblem.self) { try await one.fleet.commit { $0.next += 1 } }
        try cluster.etcdctl("put", Machine.key, "{\"port\": 1, \"host\": \"b\"}")
        await eventually("the mended value is merged") { one.value.host == "b" && one.fleet.status.problem == nil }
        await one.waitUntilSent()
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
        #expect(try cluster.text.contains("1000"))
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
        await one.waitUntilSent()
        try one.edit("{\"port\": 2, \"host\":")
        try cluster.etcdctl("put", Machine.key, "{\"port\": 1, \"host\": \"b\"}")
        await eventually("the machine is behind") { one.fleet.status.versionsBehind > 0 }
        #expect(try one.text == "{\"port\": 2, \"host\":")
        try one.edit("{\"port\": 2, \"host\": \"a\"}")
        await eventually("both changes are merged") { one.value.port == 2 && one.value.host == "b" }
        await one.waitUntilSent()
        #expect(one.fleet.status.versionsBehind == 0)
        #expect(try cluster.text == "{\"port\": 2, \"host\": \"b\"}")
    }

    @Test("A file that is missing or invalid at the start takes nothing from the other machines")
    func missingAtStart() async throws {
        let cluster = try EtcdCluster(members: 1)
        let folder = try TemporaryFolder()
        let text = "{\"port\": 1, \"host\": \"a\", \"tags\": {\"x\": 1}}"
        let one = try Machine("one", text: text, endpoints: cluster.endpoints)
        await one.waitUntilSent()
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
        await eventually("the rest is sent") { (try? cluster.text.contains("\"x\": 1")) == true }
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
        await one.waitUntilSent()
        try cluster.etcdctl("put", Machine.key, "{\"port\": 1000}")
        await eventually("the problem is told") { one.fleet.status.problem != nil }
        let deadline = ContinuousClock.now + .seconds(3)
        await eventually("three seconds have passed") { .now > deadline }
        // Once for the merged value and once for the place in the text, each time it is tried: once a second.
        #expect(checks.items.filter { $0 == 1_000 }.count <= 12)
    }
}

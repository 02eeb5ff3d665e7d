import EtcdClient
import EtcdTestSupport
import TestSupport
import Testing

@Suite("failures of etcd endpoints", .requiresEtcd, .serialized)
struct FailureTests {
    @Test("Requests go on to another member after one is killed")
    func killed() async throws {
        let cluster = try EtcdCluster()
        let client = try EtcdClient(.patient(cluster.endpoints))
        _ = try await client.put("a", [1])
        for member in 0..<3 {
            cluster.kill(member)
            try cluster.waitUntilHealthy()
            #expect(try await client.get("a").keyValue?.value == [1])
            let revision = try await client.put("b", [2])
            var events = client.watch("b", from: revision).makeAsyncIterator()
            _ = try await events.next()
            _ = try await events.next()
            try cluster.restart(member)
            try cluster.waitUntilHealthy()
        }
    }

    @Test("Clients of an unreachable endpoint spread over all others")
    func spread() async throws {
        let servers = try (0..<2).map { _ in try OneShotServer(.page(status: "200 OK", type: "application/json", "{}"))
        }
        let options = EtcdOptions.patient(["127.0.0.1:1"] + servers.map(\.url))
        for _ in 0..<300 { _ = try await EtcdClient(options).get("a") }
        // If all clients of an endpoint went on to the same one, that would have 200 clients.
        #expect(servers.allSatisfy { (115...185).contains($0.requests.count) })
    }

    @Test("Without any member, requests and watches are unreachable")
    func unreachable() async throws {
        let cluster = try EtcdCluster(members: 1)
        let client = try EtcdClient(.patient(cluster.endpoints + ["127.0.0.1:1"]))
        _ = try await client.put("a", [1])
        cluster.kill(0)
        await expectError(.unreachable) { _ = try await client.get("a") }
        let error = await expectError(.unreachable) { _ = try await client.put("a", [1]) }
        #expect(error?.message.contains("check that etcd runs") == true)
        await expectError(.unreachable) { for try await _ in client.watch("a", from: 1) {} }
        try cluster.restart(0)
        try cluster.waitUntilHealthy()
        _ = try await client.put("a", [1])
    }

    @Test("A write whose answer is lost is uncertain and is not repeated", arguments: [true, false])
    func lostAnswer(_ isReset: Bool) async throws {
        let servers = try (0..<2).map { _ in try OneShotServer(isReset ? .reset : .close) }
        let client = try EtcdClient(.patient(servers.map(\.url)))
        await expectError(.uncertain) { _ = try await client.put("a", [1]) }
        #expect(servers.map(\.requests.count).reduce(0, +) == 1)
        await expectError(.uncertain) { _ = try await client.get("a") }
        #expect(servers.map(\.requests.count).reduce(0, +) == 3)
    }

    @Test("A write on an idle connection is not repeated when its answer is lost")
    func lostAnswerOnIdleConnection() async throws {
        let cluster = try EtcdCluster(members: 1) { $0.proxiesClients = true }
        let proxy = cluster.proxies[0]
        let client = try EtcdClient(.patient(cluster.endpoints))
        let revision = try await client.put("a", [1])
        proxy.dropAnswers()
        let write = Task { await expectError(.uncertain) { _ = try await client.put("a", [2]) } }
        try await eventually("the write is applied") { try cluster.revision() == revision + 1 }
        await eventually("its answer is dropped") { proxy.traffic.droppedBytes > 0 }
        proxy.cut()
        _ = await write.value
        proxy.resume()
        #expect(try await client.get("a").keyValue?.version == 2)
    }

    @Test("A timeout is uncertain for a write, and a read goes on to the next endpoint")
    func timeout() async throws {
        let cluster = try EtcdCluster(members: 1)
        let server = try OneShotServer(.silence)
        var options = EtcdOptions(endpoints: [server.url])
        options.requestTimeout = .milliseconds(100)
        let silent = try EtcdClient(options)
        await expectError(.uncertain) { _ = try await silent.put("a", [1]) }
        options.endpoints += cluster.endpoints
        options.requestTimeout = .seconds(2)
        for _ in 0..<4 { #expect(try await EtcdClient(options).get("a").keyValue == nil) }
    }

    @Test(
        "Answers that are not of etcd are errors",
        arguments: [
            ("502 Bad Gateway", "<html>", EtcdError.Code.uncertain), ("200 OK", "<html>", .invalidResponse),
            ("200 OK", "", .invalidResponse), ("404 Not Found", "Not Found", .rejected),
            ("200 OK", "[]", .invalidResponse),
            ("200 OK", #"{"kvs":[{"key":"?"}]}"#, .invalidResponse),
        ])
    func foreignAnswers(_ status: String, _ body: String, _ code: EtcdError.Code) async throws {
        let server = try OneShotServer(.page(status: status, body))
        let client = try EtcdClient(.patient([server.url]))
        await expectError(code) { _ = try await client.get("a") }
        // A stream that ends early is no worse than a lost connection.
        let isObject = body.isEmpty || body.hasPrefix("{")
        await expectError(isObject ? .uncertain : code) { for try await _ in client.watch("a", from: 1) {} }
    }

    @Test("A truncated answer is uncertain")
    func truncated() async throws {
        let server = try OneShotServer(
            .answer(Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"header\"".utf8)))
        let client = try EtcdClient(.patient([server.url]))
        await expectError(.uncertain) { _ = try await client.put("a", [1]) }
        await expectError(.uncertain) { for try await _ in client.watch("a", from: 1) {} }
    }

    @Test("Cancelling the task ends a request")
    func cancelled() async throws {
        let server = try OneShotServer(.silence)
        let client = try EtcdClient(.patient([server.url]))
        let task = Task { await expectError(.cancelled) { _ = try await client.put("a", [1]) } }
        await eventually("the request is sent") { server.requests.count == 1 }
        task.cancel()
        _ = await task.value
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await expectError(.cancelled) { _ = try await client.put("a", [1]) }
        }
        _ = await early.value
    }
}

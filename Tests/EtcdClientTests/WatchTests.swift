import EtcdClient
import EtcdTestSupport
import TestSupport
import Testing

@Suite("watches of etcd keys", .requiresEtcd, .serialized)
struct WatchTests {
    let cluster: EtcdCluster
    let client: EtcdClient

    init() throws {
        cluster = try EtcdCluster(members: 1) { $0.proxiesClients = true }
        client = try EtcdClient(.patient(cluster.endpoints))
    }

    @Test("A watch reports past and new changes from its revision on, in order")
    func order() async throws {
        let first = try await client.put("a", [0])
        _ = try await client.put("b", [0])
        _ = try await client.put("a", [1])
        var events = client.watch("a", from: first).makeAsyncIterator()
        #expect(try await events.next() == .created(revision: first + 2))
        #expect(try await events.next()?.value == [0])
        #expect(try await events.next()?.value == [1])
        for number in UInt8(2)..<200 { _ = try await client.put("a", [number]) }
        let last = try await client.delete("a")
        for number in UInt8(2)..<200 { #expect(try await events.next()?.value == [number]) }
        #expect(try await events.next() == .deleted(key: "a", revision: last))
    }

    @Test("A watch of a prefix reports all its keys")
    func prefix() async throws {
        let revision = try await client.get("/s/").revision
        var events = client.watch("/s/", prefix: true, from: revision + 1).makeAsyncIterator()
        _ = try await events.next()
        _ = try await client.put("/t", [1])
        _ = try await client.put("/s/a", [2])
        _ = try await client.put("/s/b", [3])
        #expect(try await events.next()?.value == [2])
        #expect(try await events.next()?.value == [3])
    }

    @Test("Large values arrive complete, also many at once")
    func largeValues() async throws {
        let values = (UInt8(1)...6).map { [UInt8](repeating: $0, count: 1_300_000) }
        let revision = try await client.get("a").revision
        for value in values { _ = try await client.put("a", value) }
        var events = client.watch("a", from: revision + 1).makeAsyncIterator()
        _ = try await events.next()
        for value in values { #expect(try await events.next()?.value == value) }
    }

    @Test("A watch from a compacted revision fails with the first one that exists")
    func compacted() async throws {
        let first = try await client.put("a", [0])
        _ = try await client.put("a", [1])
        let compacted = try cluster.compact()
        let error = await expectError(.compacted) { for try await _ in client.watch("a", from: first) {} }
        #expect(error?.compactRevision == compacted)
    }

    @Test("Cancelling the task ends the watch and closes its connection")
    func cancelled() async throws {
        let started = Received<EtcdWatchEvent>()
        let task = Task {
            await expectError(.cancelled) { for try await event in client.watch("a", from: 1) { started.add(event) } }
        }
        await eventually("the watch is created") { started.count == 1 }
        let before = cluster.proxies[0].traffic.openConnections
        task.cancel()
        _ = await task.value
        await eventually("the connection is closed") {
            cluster.proxies[0].traffic.openConnections == before - 1
        }
    }

    @Test("Releasing the iterator closes the connection")
    func released() async throws {
        var events: EtcdWatch.Iterator? = client.watch("a", from: 1).makeAsyncIterator()
        _ = try await events!.next()
        #expect(cluster.proxies[0].traffic.openConnections == 1)
        events = nil
        await eventually("the connection is closed") { cluster.proxies[0].traffic.openConnections == 0 }
    }

    @Test("A lost connection ends the watch, with all events that arrived before")
    func lost() async throws {
        var events = client.watch("a", from: 1).makeAsyncIterator()
        _ = try await events.next()
        let start = cluster.proxies[0].traffic.answerBytes
        _ = try await client.put("a", [0])
        #expect(try await events.next()?.value == [0])
        // The answers to the next put have as many bytes, except for numbers with another digit.
        let middle = cluster.proxies[0].traffic.answerBytes
        _ = try await client.put("a", [1])
        await eventually("both answers arrive") {
            cluster.proxies[0].traffic.answerBytes - middle >= middle - start - 50
        }
        // A reset would discard what the client has not read yet.
        cluster.kill(0)
        #expect(try await events.next()?.value == [1])
        await expectError(.uncertain) { _ = try await events.next() }
        #expect(try await events.next() == nil)
    }

    @Test("A watch that gets no answer fails after the time limit")
    func unanswered() async throws {
        let server = try OneShotServer(.silence)
        var options = EtcdOptions(endpoints: [server.url])
        (options.connectTimeout, options.requestTimeout) = (.milliseconds(100), .milliseconds(100))
        let client = try EtcdClient(options)
        await expectError(.uncertain) { for try await _ in client.watch("a", from: 1) {} }
        #expect(server.requests.count == 1)
        #expect(server.requests[0].lowercased().contains("grpc-metadata-hasleader: true\r\n"))
    }

    @Test("A member that loses its leader ends the watch")
    func noLeader() async throws {
        let cluster = try EtcdCluster()
        let client = try EtcdClient(.patient([cluster.endpoints[0]]))
        let revision = try await client.put("a", [1])
        var events = client.watch("a", from: revision + 1).makeAsyncIterator()
        _ = try await events.next()
        for other in 1...2 { cluster.kill(other) }
        await expectError(.noLeader) { _ = try await events.next() }
        await expectError(.noLeader) { _ = try await client.put("a", [1]) }
    }
}

extension EtcdWatchEvent {
    fileprivate var value: [UInt8]? { if case .put(let keyValue, _) = self { keyValue.value } else { nil } }
}

import EtcdClient
import EtcdTestSupport
import TestSupport
import Testing

@Suite("requests to etcd", .requiresEtcd, .serialized)
struct EtcdClientTests {
    let cluster: EtcdCluster
    let client: EtcdClient

    init() throws {
        cluster = try EtcdCluster(members: 1)
        client = try EtcdClient(.patient(cluster.endpoints))
    }

    @Test("A value that was put is read with its revisions")
    func putAndGet() async throws {
        let absent = try await client.get("/a")
        #expect(absent.keyValue == nil)
        let revision = try await client.put("/a", Array("one".utf8))
        #expect(revision == absent.revision + 1)
        #expect(try await client.put("/a", Array("two".utf8)) == revision + 1)
        let reading = try await client.get("/a")
        #expect(reading.revision == revision + 1)
        #expect(
            reading.keyValue
                == EtcdKeyValue(
                    key: "/a", value: Array("two".utf8), createRevision: revision, modRevision: revision + 1,
                    version: 2,
                    lease: 0))
        #expect(try await client.get("/a", atRevision: revision).keyValue?.value == Array("one".utf8))
        #expect(try cluster.etcdctl("get", "/a", "--print-value-only") == "two\n")
    }

    @Test("Every byte and length of a value survives, and so do keys of any script")
    func bytes() async throws {
        for count in 0...4 {
            let value = (0..<count).map { UInt8(255 - $0) }
            _ = try await client.put("key \"é\u{1F600}\\", value)
            #expect(try await client.get("key \"é\u{1F600}\\").keyValue?.value == value)
        }
        let all = (0..<1_024).map { UInt8(truncatingIfNeeded: $0) }
        _ = try await client.put("all", all)
        #expect(try await client.get("all").keyValue?.value == all)
    }

    @Test("A transaction applies the operations for its conditions, and tells which")
    func transactions() async throws {
        let create = EtcdTransaction(
            conditions: [.modRevision(of: "a", equals: 0)],
            success: [.put("a", [1], lease: nil), .get("a"), .delete("b")], failure: [.get("a"), .get("c")])
        let first = try await client.transaction(create)
        #expect(first.succeeded)
        guard case .get(let created?) = first.responses[1] else {
            Issue.record("no value")
            return
        }
        #expect(created.modRevision == first.revision && created.value == [1])
        #expect(first.responses == [.put, .get(created), .delete(count: 0)])

        let second = try await client.transaction(create)
        #expect(!second.succeeded && second.revision == first.revision)
        #expect(second.responses == [.get(created), .get(nil)])

        let remove = EtcdTransaction(
            conditions: [.modRevision(of: "a", equals: created.modRevision)], success: [.delete("a")])
        #expect(try await client.transaction(remove).responses == [.delete(count: 1)])
        #expect(try await !client.transaction(remove).succeeded)
        #expect(try await client.transaction(remove).responses == [])
    }

    @Test("A list has the keys with its prefix in their order, and none that is not UTF-8")
    func list() async throws {
        for key in ["/a/2", "/a/1", "/b", "/a"] { _ = try await client.put(key, Array(key.utf8)) }
        _ = try Program.shell.run(
            ["-c", "ETCDCTL_API=3 etcdctl --endpoints \(cluster.endpoints[0]) put \"$(printf '/a/\\377')\" x"],
            in: TemporaryFolder())
        let list = try await client.list(prefix: "/a/")
        #expect(list.keyValues.map(\.key) == ["/a/1", "/a/2"])
        #expect(try await client.list(prefix: "").keyValues.map(\.key) == ["/a", "/a/1", "/a/2", "/b"])
        #expect(try await client.list(prefix: "none").keyValues.isEmpty)
    }

    @Test("A value of 1.3 MB is stored, and one beyond the limit of etcd is too large")
    func largeValues() async throws {
        let value = (0..<1_300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        _ = try await client.put("large", value)
        #expect(try await client.get("large").keyValue?.value == value)
        for count in [1_600_000, 2_200_000, 5_000_000] {
            let error = await #expect(throws: EtcdError.self) {
                _ = try await client.put("large", [UInt8](repeating: 0, count: count))
            }
            #expect(error?.code == .tooLarge, "\(count): \(error?.message ?? "")")
        }
        for number in 0..<8 { _ = try await client.put("many/\(number)", value) }
        #expect(try await client.list(prefix: "many/").keyValues.count == 8)
    }

    @Test("Deleting a key, and reading at a compacted or future revision")
    func history() async throws {
        let first = try await client.put("a", [1])
        #expect(try await client.delete("a") == first + 1)
        #expect(try await client.delete("a") == first + 1)
        #expect(try await client.get("a").keyValue == nil)
        _ = try await client.put("a", [2])
        try cluster.compact()
        await expectError(.compacted) { _ = try await client.get("a", atRevision: first) }
        await expectError(.rejected) { _ = try await client.get("a", atRevision: 1_000) }
    }

    @Test("Keys that are empty or contain NUL are rejected without a request")
    func keys() async throws {
        for key in ["", "a\0b"] {
            await expectError(.rejected) { _ = try await client.get(key) }
            await expectError(.rejected) { _ = try await client.put(key, []) }
            await expectError(.rejected) { _ = try await client.delete(key) }
            await expectError(.rejected) {
                _ = try await client.transaction(
                    EtcdTransaction(conditions: [.modRevision(of: key, equals: 0)], success: []))
            }
            await expectError(.rejected) {
                for try await _ in client.watch(key, from: 1) {}
            }
        }
    }

    @Test("A lease that is kept alive lives on, and its keys go with it")
    func leases() async throws {
        let lease = try await client.grantLease(lifetime: 600)
        _ = try await client.put("member", [1], lease: lease)
        #expect(try await client.get("member").keyValue?.lease == lease)
        #expect(try await client.keepLeaseAlive(lease))
        try await client.revokeLease(lease)
        #expect(try await client.get("member").keyValue == nil)
        #expect(try await !client.keepLeaseAlive(lease))
        try await client.revokeLease(lease)
        await expectError(.rejected) { _ = try await client.put("member", [1], lease: lease) }
    }

    @Test("A lease that nobody keeps alive expires")
    func expiry() async throws {
        let (lease, revision) = try await attachedLease()
        var events = client.watch("member", from: revision + 1).makeAsyncIterator()
        #expect(try await events.next() == .created(revision: revision))
        #expect(try await events.next() == .deleted(key: "member", revision: revision + 1))
        #expect(try await !client.keepLeaseAlive(lease))
    }

    /// A short lease with a key, and the revision of the key. On a busy machine a lease may expire before it is used.
    private func attachedLease() async throws -> (lease: Int, revision: Int) {
        while true {
            let lease = try await client.grantLease(lifetime: 2)
            if let revision = try? await client.put("member", [1], lease: lease) { return (lease, revision) }
        }
    }
}

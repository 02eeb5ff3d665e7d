import EtcdClient
import EtcdTestSupport
import Glibc
import TestSupport
import Testing

@Suite("authentication at etcd", .requiresEtcd, .serialized)
struct AuthenticationTests {
    let folder: TemporaryFolder
    let cluster: EtcdCluster

    init() throws {
        folder = try TemporaryFolder()
        cluster = try EtcdCluster(members: 1)
        for words in [
            ["user", "add", "root:top"], ["user", "add", "app:p:\u{E9}\\\"1"], ["role", "add", "app"],
            ["role", "grant-permission", "app", "readwrite", "--prefix", "/app/"],
            ["user", "grant-role", "app", "app"],
            ["user", "grant-role", "root", "root"],
        ] { try cluster.etcdctl(words, at: cluster.endpoints, within: .patience) }
        try write("app:p:\u{E9}\\\"1")
    }

    private func write(_ line: String) throws {
        try folder.write("user", line + "\nrest")
        chmod(folder.path(of: "user"), 0o600)
    }

    private func client(withCredentials: Bool = true) throws -> EtcdClient {
        var options = EtcdOptions.patient(cluster.endpoints)
        if withCredentials { options.credentialsFile = folder.path(of: "user") }
        return try EtcdClient(options)
    }

    private func enable() throws { try cluster.etcdctl("auth", "enable") }

    @Test("A user has access to its keys only")
    func permissions() async throws {
        try enable()
        let client = try client()
        let revision = try await client.put("/app/a", [1])
        await expectError(.permissionDenied) { _ = try await client.put("/other", [1]) }
        await expectError(.permissionDenied) { _ = try await client.list(prefix: "/") }
        await expectError(.permissionDenied) { for try await _ in client.watch("/other", from: 1) {} }
        var events = client.watch("/app/a", from: revision).makeAsyncIterator()
        #expect(try await events.next() == .created(revision: revision))
        await expectError(.unauthenticated) { _ = try await self.client(withCredentials: false).get("/app/a") }
        await expectError(.unauthenticated) {
            for try await _ in try self.client(withCredentials: false).watch("/app/a", from: 1) {}
        }
    }

    @Test("A token that the member has forgotten is renewed, for requests and for watches")
    func renewal() async throws {
        try enable()
        let client = try client()
        let revision = try await client.put("/app/a", [1])
        // Tokens are in memory only, so the member does not know them any more.
        for _ in 0..<2 {
            cluster.kill(0)
            try cluster.restart(0)
            try cluster.waitUntilHealthy()
            async let reading = client.get("/app/a")
            async let writing = client.put("/app/b", [2])
            _ = try await (reading, writing)
            cluster.kill(0)
            try cluster.restart(0)
            try cluster.waitUntilHealthy()
            var events = client.watch("/app/a", from: revision).makeAsyncIterator()
            _ = try await events.next()
            _ = try await events.next()
        }
    }

    @Test("Authentication can be enabled while a client works")
    func enabledLater() async throws {
        let client = try client()
        _ = try await client.put("/app/a", [1])
        try enable()
        _ = try await client.put("/app/a", [2])
    }

    @Test("A wrong password is refused without being named, and read again once it is right")
    func wrongPassword() async throws {
        try enable()
        try write("app:wrong-secret")
        let client = try client()
        for _ in 0..<2 {
            let error = await expectError(.unauthenticated) { _ = try await client.get("/app/a") }
            #expect(error?.message.contains(folder.path(of: "user")) == true)
            #expect(error?.message.contains("wrong-secret") == false)
        }
        try write("app:p:\u{E9}\\\"1")
        _ = try await client.get("/app/a")
    }
}

import EtcdClient
import EtcdTestSupport
import TestSupport
import Testing

@Suite("idle etcd clients", .requiresEtcd, .serialized)
struct IdleTests {
    @Test("The thread of idle watches does not wake up, and all receive the next event")
    func sleeping() async throws {
        let cluster = try EtcdCluster(members: 1)
        let folder = try TemporaryFolder()
        defer { extendLifetime(folder) }
        let program = try Program.built("EtcdProbe").start(["watch", cluster.endpoints[0], "100"], in: folder)
        #expect(try program.line() == "ready")
        let process = ObservedProcess(identifier: program.identifier)
        // libcurl may look once more at the limits of the connections.
        await eventually("no wakeup for three seconds") {
            let before = try? Self.switches(of: process)
            try? await Task.sleep(for: .seconds(3))
            return before != nil && before == (try? Self.switches(of: process))
        }
        let client = try EtcdClient(.patient(cluster.endpoints))
        _ = try await client.put("watched", [1])
        #expect(try program.line() == "done")
    }

    private static func switches(of process: ObservedProcess) throws -> Int? {
        try process.threads().first { $0.name == "etcd-network" }?.switches
    }
}

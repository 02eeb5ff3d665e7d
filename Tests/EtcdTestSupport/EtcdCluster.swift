import Glibc
import TestSupport

/// Members of a real etcd cluster on 127.0.0.1, for one test.
///
/// ```swift
/// let cluster = try EtcdCluster()
/// try cluster.etcdctl("put", "/settings", "{}")
/// try cluster.kill(#require(cluster.leader()))
/// try cluster.waitUntilHealthy()
/// ```
///
/// A test that uses it has the trait `.requiresEtcd`. Starting three members takes about 0.4 s. Each uses 30 MB of memory
/// and 128 MB for its log, which etcd allocates in advance: in memory too if /dev/shm has the space, so that no test waits
/// for a disk.
///
/// The processes end with the object, and when the test process is killed; the files are removed with them.
package final class EtcdCluster: Sendable {
    /// The URLs that clients use.
    package let endpoints: [String]
    let members: [EtcdMember]
    let folder: TemporaryFolder

    /// Starts the members and waits until they can make changes.
    ///
    /// - Parameters:
    ///   - count: The number of members.
    ///   - arguments: Further arguments of every member.
    ///   - heartbeat: The interval in which the leader sends heartbeats.
    ///   - election: The time without a heartbeat after which a member starts an election.
    package init(
        members count: Int = 3, arguments: [String] = [], heartbeat: Duration = .milliseconds(100),
        election: Duration = .milliseconds(1_000)
    ) throws {
        let timing = [
            "--heartbeat-interval", "\(Int(heartbeat / .milliseconds(1)))",
            "--election-timeout", "\(Int(election / .milliseconds(1)))",
        ]
        (folder, members) = try Self.start(count, timing + arguments)
        endpoints = members.map { "http://127.0.0.1:\($0.ports.client)" }
    }

    /// Starts members, again with other ports if another process has taken one meanwhile.
    private static func start(_ count: Int, _ arguments: [String]) throws -> (TemporaryFolder, [EtcdMember]) {
        var attempts = 5
        while true {
            let folder = try TemporaryFolder(in: parentFolder(for: count))
            let members = try makeMembers(count, arguments, folder)
            do {
                for member in members { try member.start() }
                try waitUntilHealthy(members)
                return (folder, members)
            } catch {
                attempts -= 1
                guard attempts > 0, "\(error)".contains("address already in use") else { throw error }
            }
        }
    }

    /// A file system in memory, if it has space for the logs and as much again for other clusters.
    private static func parentFolder(for count: Int) -> String {
        let memory = "/dev/shm"
        var status = statvfs()
        guard statvfs(memory, &status) == 0, access(memory, W_OK) == 0 else { return TemporaryFolder.defaultParent }
        let free = Int(status.f_bavail) * Int(status.f_frsize)
        return free > 2 * count * 140_000_000 ? memory : TemporaryFolder.defaultParent
    }

    private static func makeMembers(_ count: Int, _ arguments: [String], _ folder: TemporaryFolder) throws
        -> [EtcdMember]
    {
        let ports = try (0..<count).map { _ in try EtcdMember.Ports() }
        let peers = ports.enumerated().map { "m\($0)=http://127.0.0.1:\($1.peer)" }.joined(separator: ",")
        return ports.enumerated().map { number, ports in
            let client = "http://127.0.0.1:\(ports.client)"
            let peer = "http://127.0.0.1:\(ports.peer)"
            let own = [
                "--name", "m\(number)", "--data-dir", folder.path(of: "m\(number)"), "--initial-cluster", peers,
                "--listen-client-urls", client, "--advertise-client-urls", client,
                "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                "--listen-metrics-urls", "http://127.0.0.1:\(ports.status)",
                "--logger", "zap", "--log-level", "error",
            ]
            return EtcdMember(ports: ports, arguments: own + arguments, folder: folder)
        }
    }
}

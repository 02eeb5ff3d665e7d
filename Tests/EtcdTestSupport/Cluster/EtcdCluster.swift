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
/// A test that uses it has the trait `.requiresEtcd`. Starting three members takes 0.3 s to 2 s. Each uses 30 MB of memory
/// and 128 MB for its log, which etcd allocates in advance: in memory too if /dev/shm has the space, so that no test waits
/// for a disk.
///
/// The processes end with the object, and when the test process is killed; the files are removed with them.
package final class EtcdCluster: Sendable {
    /// What a cluster is made of.
    package struct Options: Sendable {
        /// Further arguments of every member, such as `["--auth-token-ttl", "5"]`.
        package var arguments: [String] = []
        /// The interval in which the leader sends heartbeats.
        package var heartbeat = Duration.milliseconds(100)
        /// The time without a heartbeat after which a member starts an election.
        package var election = Duration.milliseconds(1_000)
        /// Whether clients connect to each member through one of ``EtcdCluster/proxies``.
        package var proxiesClients = false
        /// Whether members connect to each other through proxies, as ``EtcdCluster/isolate(_:)`` needs.
        package var proxiesPeers = false
        /// Issues the certificate of the members, so that clients connect by TLS; nil without TLS. Members connect to each other
        /// without it.
        package var certificates: TestCertificates?
        /// Whether clients need a certificate of the same authority.
        package var requiresClientCertificates = false

        package init() {}
    }

    /// The URLs that clients use, in the order of the members.
    package let endpoints: [String]
    /// The proxies of clients, one for each member; empty without ``Options/proxiesClients``.
    package let proxies: [LoopbackProxy]
    /// The proxies through which the others connect to each member.
    let peerProxies: [LoopbackProxy]
    let members: [EtcdMember]
    let folder: TemporaryFolder
    /// The arguments by which etcdctl trusts the members, and they trust it.
    let credentials: [String]

    /// Starts the members and waits until they can make changes.
    package init(members count: Int = 3, _ configure: (inout Options) -> Void = { _ in }) throws {
        var options = Options()
        configure(&options)
        let parts = try EtcdClusterParts.started(count, options)
        (folder, members) = (parts.folder, parts.members)
        credentials = parts.credentials
        (proxies, peerProxies) = (parts.proxies, parts.peerProxies)
        endpoints = parts.addresses.map(\.client)
    }
}

import Glibc
import TestSupport

/// Lays out the ports, proxies and members of a cluster and starts them.
struct EtcdClusterParts {
    /// The URLs at which others reach a member.
    struct Addresses {
        let client, peer: String
    }

    let folder: TemporaryFolder
    let proxies: [LoopbackProxy]
    let peerProxies: [LoopbackProxy]
    let addresses: [Addresses]
    let members: [EtcdMember]
    let credentials: [String]

    /// Starts members, again with other ports if another process has taken one meanwhile.
    static func started(_ count: Int, _ options: EtcdCluster.Options) throws -> EtcdClusterParts {
        var attempts = 5
        while true {
            do {
                let parts = try EtcdClusterParts(count, options)
                for member in parts.members { try member.start() }
                try EtcdCluster.waitUntilHealthy(parts.members)
                return parts
            } catch {
                attempts -= 1
                guard attempts > 0, "\(error)".lowercased().contains("address already in use") else { throw error }
            }
        }
    }

    private init(_ count: Int, _ options: EtcdCluster.Options) throws {
        folder = try TemporaryFolder(in: Self.parentFolder(for: count))
        let ports = try (0..<count).map { _ in try EtcdMember.Ports() }
        proxies = options.proxiesClients ? try ports.map { try LoopbackProxy(to: $0.client) } : []
        peerProxies = options.proxiesPeers ? try ports.map { try LoopbackProxy(to: $0.peer) } : []
        let scheme = options.scheme
        let clients = (options.proxiesClients ? proxies.map(\.port) : ports.map(\.client)).map { Self.url($0, scheme) }
        let peers = (options.proxiesPeers ? peerProxies.map(\.port) : ports.map(\.peer)).map { Self.url($0) }
        credentials = try options.clientCredentials()
        let common = try Self.common(options) + options.serverCredentials()
        addresses = zip(clients, peers).map { Addresses(client: $0, peer: $1) }
        let names = (0..<count).map { "m\($0)" }
        let cluster = zip(names, peers).map { "\($0)=\($1)" }.joined(separator: ",")
        members = zip(names, zip(ports, addresses)).map { [folder] name, place in
            let (ports, addresses) = place
            let own = [
                "--name", name, "--data-dir", folder.path(of: name), "--initial-cluster", cluster,
                "--listen-client-urls", Self.url(ports.client, scheme), "--advertise-client-urls", addresses.client,
                "--listen-peer-urls", Self.url(ports.peer), "--initial-advertise-peer-urls", addresses.peer,
                "--listen-metrics-urls", Self.url(ports.status),
            ]
            return EtcdMember(ports: ports, arguments: own + common, folder: folder)
        }
    }

    private static func url(_ port: UInt16, _ scheme: String = "http") -> String { "\(scheme)://127.0.0.1:\(port)" }

    private static func common(_ options: EtcdCluster.Options) -> [String] {
        [
            "--heartbeat-interval", "\(Int(options.heartbeat / .milliseconds(1)))",
            "--election-timeout", "\(Int(options.election / .milliseconds(1)))",
            "--logger", "zap", "--log-level", "error",
        ] + options.arguments
    }

    /// A file system in memory, if it has space for the logs and as much again for other clusters.
    private static func parentFolder(for count: Int) -> String {
        let memory = "/dev/shm"
        var status = statvfs()
        guard statvfs(memory, &status) == 0, access(memory, W_OK) == 0 else { return TemporaryFolder.defaultParent }
        let free = Int(status.f_bavail) * Int(status.f_frsize)
        return free > 2 * count * 140_000_000 ? memory : TemporaryFolder.defaultParent
    }
}

extension EtcdCluster.Options {
    var scheme: String { certificates == nil ? "http" : "https" }

    fileprivate func serverCredentials() throws -> [String] {
        guard let certificates else { return [] }
        let server = try certificates.issue("server")
        let own = ["--cert-file", server.certificate, "--key-file", server.key]
        return own
            + (requiresClientCertificates ? ["--client-cert-auth", "--trusted-ca-file", certificates.authority] : [])
    }

    /// Those of etcdctl, whose common name is that of the user who may do everything.
    fileprivate func clientCredentials() throws -> [String] {
        guard let certificates else { return [] }
        let authority = ["--cacert", certificates.authority]
        guard requiresClientCertificates else { return authority }
        let client = try certificates.issue("root")
        return authority + ["--cert", client.certificate, "--key", client.key]
    }
}

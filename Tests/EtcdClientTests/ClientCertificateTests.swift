import EtcdClient
import EtcdTestSupport
import Glibc
import TestSupport
import Testing

@Suite("Certificates of etcd clients", .requiresEtcd, .needs(.openssl), .serialized)
struct ClientCertificateTests {
    private let folder: TemporaryFolder
    private let certificates: TestCertificates
    private let cluster: EtcdCluster

    /// Starts a member that requires certificates of an authority of its own.
    init() throws {
        let folder = try TemporaryFolder()
        let certificates = try TestCertificates(in: folder)
        (self.folder, self.certificates) = (folder, certificates)
        cluster = try EtcdCluster(members: 1) {
            $0.certificates = certificates
            $0.requiresClientCertificates = true
        }
    }

    private func options(_ identity: TestCertificates.Identity?) -> EtcdOptions {
        var options = EtcdOptions.patient(cluster.endpoints)
        options.certificateAuthorityFile = certificates.authority
        (options.clientCertificateFile, options.clientKeyFile) = (identity?.certificate, identity?.key)
        return options
    }

    /// The message of the error of a change; empty if there is none.
    private func errorMessage(of client: EtcdClient) async -> String {
        do {
            _ = try await client.put("a", [1])
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test("Members that require a certificate answer clients with one of their authority, and no others")
    func required() async throws {
        let client = try EtcdClient(options(certificates.issue("shop")))
        _ = try await client.put("a", [2])
        let reading = try await client.get("a")
        #expect(reading.keyValue?.value == [2])
        var events = client.watch("a", from: reading.revision).makeAsyncIterator()
        #expect(try await events.next() == .created(revision: reading.revision))

        // An alert, or only a closed connection: the member does not wait until the client has read the alert.
        for _ in 0..<20 {
            let message = try await errorMessage(of: EtcdClient(options(nil)))
            #expect(message.contains("the member may require a certificate of this client"), "\(message)")
        }
        let others = try TestCertificates(in: TemporaryFolder())
        let stranger = try EtcdClient(options(others.issue("shop")))
        await #expect(errorMessage(of: stranger) != "")
        withExtendedLifetime(others) {}
        #expect(try await client.get("a").keyValue?.value == [2])
    }

    @Test("One file may have the certificate and its key")
    func oneFile() async throws {
        let identity = try certificates.issue("shop")
        try folder.write("both", folder.read("shop.pem") + folder.read("shop.key"))
        chmod(folder.path(of: "both"), 0o600)
        var options = options(identity)
        (options.clientCertificateFile, options.clientKeyFile) = (folder.path(of: "both"), nil)
        _ = try await EtcdClient(options).put("a", [1])
    }

    @Test("A renewed certificate is used without a new client")
    func renewed() async throws {
        let identity = try certificates.issue("shop")
        let client = try EtcdClient(options(identity))
        _ = try certificates.issue("new")
        // Between the two steps, the key is not that of the certificate.
        try folder.rename("new.key", to: "shop.key")
        let message = await errorMessage(of: client)
        #expect(message.contains("check the certificate of this client and its key"), "\(message)")
        try folder.rename("new.pem", to: "shop.pem")
        _ = try await client.put("a", [1])
    }

    @Test("A key that needs a passphrase is an error that names its file, and the passphrase is not asked for")
    func encrypted() async throws {
        let identity = try certificates.issue("shop")
        let result = try Programs.openssl.program.run(
            ["pkcs8", "-topk8", "-in", identity.key, "-out", "encrypted", "-passout", "pass:secret"], in: folder)
        #expect(result.code == 0, "\(result)")
        try folder.rename("encrypted", to: "shop.key")
        let message = try await errorMessage(of: EtcdClient(options(identity)))
        #expect(message.contains("shop.key") && message.contains("check the certificate"), "\(message)")
    }

    @Test("With authentication, the certificate does not stand for a user; name and password do")
    func authentication() async throws {
        try cluster.etcdctl("user", "add", "root:secret", "--interactive=false")
        try cluster.etcdctl("user", "grant-role", "root", "root")
        try cluster.etcdctl("auth", "enable")
        try folder.write("login", "root:secret\n")
        chmod(folder.path(of: "login"), 0o600)
        func errorMessage(_ identity: TestCertificates.Identity, _ login: String?) async throws -> String {
            var options = options(identity)
            options.credentialsFile = login.map(folder.path(of:))
            return try await self.errorMessage(of: EtcdClient(options))
        }
        let (named, unnamed) = (try certificates.issue("root"), try certificates.issue("shop", hasCommonName: false))
        for login in [nil, "login"] {
            let message = try await errorMessage(named, login)
            #expect(message.contains("refuses client certificates that have a common name"), "\(message)")
        }
        let message = try await errorMessage(unnamed, nil)
        #expect(message.contains("user name is empty"), "\(message)")
        #expect(try await errorMessage(unnamed, "login") == "")
    }
}

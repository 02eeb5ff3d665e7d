import EtcdClient
import EtcdTestSupport
import TestSupport
import Testing

@Suite("TLS to etcd", .requiresEtcd, .serialized)
struct EncryptionTests {
    private let folder: TemporaryFolder
    private let member: RunningProgram
    private let port: Int

    /// Starts a member with a certificate for 127.0.0.1 by an authority of its own.
    init() throws {
        folder = try TemporaryFolder()
        let script = """
            openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=ca &&
            openssl req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj /CN=etcd &&
            printf 'subjectAltName=IP:127.0.0.1' >names &&
            openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -out cert.pem -days 2 -extfile names
            """
        let result = try Program.shell.run(["-c", script], in: folder)
        try #require(result.code == 0, "\(result.messages)")
        (port, member) = try Self.start(in: folder)
    }

    private static func start(in folder: TemporaryFolder) throws -> (Int, RunningProgram) {
        let port = try Int(OneShotServer(.close).port)
        let peer = try Int(OneShotServer(.close).port)
        let member = try Programs.etcd.program.start(
            [
                "--data-dir", folder.path(of: "data"), "--listen-client-urls", "https://127.0.0.1:\(port)",
                "--advertise-client-urls", "https://127.0.0.1:\(port)", "--cert-file", folder.path(of: "cert.pem"),
                "--key-file", folder.path(of: "key.pem"), "--listen-peer-urls", "http://127.0.0.1:\(peer)",
                "--initial-advertise-peer-urls", "http://127.0.0.1:\(peer)",
                "--initial-cluster", "default=http://127.0.0.1:\(peer)", "--log-level", "error", "--logger", "zap",
            ], in: folder)
        return (port, member)
    }

    private func client(host: String = "127.0.0.1", authority: String? = "ca.pem") throws -> EtcdClient {
        var options = EtcdOptions.patient(["https://\(host):\(port)"])
        options.certificateAuthorityFile = authority.map(folder.path(of:))
        return try EtcdClient(options)
    }

    @Test("The certificate authority and the host name are verified")
    func verification() async throws {
        let client = try client()
        await eventually("the member starts") { (try? await client.put("a", [1])) != nil }
        let reading = try await client.get("a")
        #expect(reading.keyValue?.value == [1])
        var events = client.watch("a", from: reading.revision).makeAsyncIterator()
        #expect(try await events.next() == .created(revision: reading.revision))
        for other in [try self.client(authority: nil), try self.client(host: "localhost")] {
            let error = await expectError(.unreachable) { _ = try await other.put("a", [1]) }
            #expect(error?.message.contains("SSL") == true, "\(error?.message ?? "")")
        }
        let plain = try EtcdClient(.patient(["127.0.0.1:\(port)"]))
        await #expect(throws: EtcdError.self) { _ = try await plain.put("a", [1]) }
    }
}

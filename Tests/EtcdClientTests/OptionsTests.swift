import EtcdClient
import Glibc
import TestSupport
import Testing

@Suite("options of etcd clients")
struct OptionsTests {
    @Test(
        "URLs of members are accepted",
        arguments: [
            "http://127.0.0.1:2379", "https://etcd.example:2379/", "localhost:2379", "HTTP://a", "http://[::1]:2379",
        ])
    func valid(_ endpoint: String) throws { _ = try EtcdClient(EtcdOptions(endpoints: [endpoint])) }

    @Test(
        "Other endpoints are refused",
        arguments: [
            "", "localhost", "ftp://a:1", "http://", "http://a:b", "http://a:0", "http://a:65536", "http://user:p@a:1",
            "http://a:1/path", "http://a b:1", "http://a:1?x", "http://a\n:1", "http://[:1", "http://[]:1", "a::1",
            "http://a:+1", "http://é:1",
        ])
    func invalid(_ endpoint: String) async {
        await expectError(.invalidOptions) { _ = try EtcdClient(EtcdOptions(endpoints: [endpoint])) }
    }

    @Test("No endpoint, or a missing certificate authority file, is refused")
    func missing() async {
        await expectError(.invalidOptions) { _ = try EtcdClient(EtcdOptions(endpoints: [])) }
        var options = EtcdOptions(endpoints: ["a:1"])
        options.certificateAuthorityFile = "/nonexistent/ca.pem"
        await expectError(.invalidOptions) { _ = try EtcdClient(options) }
    }

    @Test(
        "A credentials file that others can access, or without name and password, is refused",
        arguments: [
            ("root:secret\n", 0o644), ("root:secret\n", 0o640), ("root:secret\n", 0o601), ("", 0o600), ("root", 0o600),
            (":secret", 0o600), ("\nroot:secret", 0o600),
        ])
    func credentials(_ text: String, _ mode: Int) async throws {
        let folder = try TemporaryFolder()
        try folder.write("user", text)
        chmod(folder.path(of: "user"), mode_t(mode))
        var options = EtcdOptions(endpoints: ["a:1"])
        options.credentialsFile = folder.path(of: "user")
        let error = await expectError(.invalidOptions) { _ = try EtcdClient(options) }
        #expect(error?.message.contains(folder.path(of: "user")) == true)
        #expect(error?.message.contains("secret") == false)
    }

    @Test(
        "A key of a client that others can read, or that its group can change, is refused",
        arguments: [(0o600, true), (0o640, true), (0o400, true), (0o644, false), (0o660, false), (0o604, false)])
    func key(_ mode: Int, _ isAccepted: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write("certificate", "")
        try folder.write("key", "")
        chmod(folder.path(of: "key"), mode_t(mode))
        var options = EtcdOptions(endpoints: ["a:1"])
        options.clientCertificateFile = folder.path(of: "certificate")
        options.clientKeyFile = folder.path(of: "key")
        if isAccepted {
            _ = try EtcdClient(options)
        } else {
            let error = await expectError(.invalidOptions) { _ = try EtcdClient(options) }
            #expect(error?.message.contains("\(folder.path(of: "key")) can be accessed by others") == true)
        }
    }

    @Test("A key without a certificate, a missing one, and a certificate file that must have the key are checked")
    func certificates() async throws {
        let folder = try TemporaryFolder()
        for name in ["certificate", "key"] { try folder.write(name, "") }
        for (name, mode) in [("certificate", 0o644), ("key", 0o600)] { chmod(folder.path(of: name), mode_t(mode)) }
        func expectInvalid(_ certificate: String?, _ key: String?, _ problem: String) async {
            var options = EtcdOptions(endpoints: ["a:1"])
            options.clientCertificateFile = certificate.map(folder.path(of:))
            options.clientKeyFile = key.map(folder.path(of:))
            let error = await expectError(.invalidOptions) { _ = try EtcdClient(options) }
            #expect(error?.message.hasSuffix(problem) == true, "\(error?.message ?? "")")
        }
        await expectInvalid(nil, "key", "needs the file of the certificate, too")
        await expectInvalid("certificate", "none", "none cannot be opened: No such file or directory")
        await expectInvalid("none", "key", "none cannot be read: No such file or directory")
        await expectInvalid("a\0b", "key", "has NUL in its path")
        await expectInvalid("certificate", nil, "certificate can be accessed by others; run chmod 600")
    }

    @Test("A credentials file must be a regular file that exists")
    func irregular() async throws {
        let folder = try TemporaryFolder()
        for path in [folder.path, folder.path(of: "none"), "/dev/null", "a\0b"] {
            var options = EtcdOptions(endpoints: ["a:1"])
            options.credentialsFile = path
            await expectError(.invalidOptions) { _ = try EtcdClient(options) }
        }
    }
}

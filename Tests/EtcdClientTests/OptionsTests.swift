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

package import TestSupport

/// A certificate authority of its own, made by openssl, and the certificates that it issues. They are valid for two days.
///
/// ```swift
/// let certificates = try TestCertificates(in: folder)
/// let cluster = try EtcdCluster { $0.certificates = certificates }
/// ```
///
/// A test that uses it has the trait `.needs(.openssl)`.
package struct TestCertificates: Sendable {
    /// The paths of a certificate and its private key, as PEM.
    package struct Identity: Sendable {
        package let certificate, key: String
    }

    private let folder: TemporaryFolder
    private let own: Identity

    /// Makes an authority whose files are in the directory.
    package init(in folder: TemporaryFolder) throws {
        self.folder = folder
        own = Self.identity("authority", in: folder)
        let extensions = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign"]
        try Self.request(own, subject: "/CN=Test authority", extensions, [], folder)
    }

    /// The path of the certificate of the authority, as PEM.
    package var authority: String { own.certificate }

    /// Issues a certificate to a server or a client.
    ///
    /// - Parameters:
    ///   - name: The name of the subject, and of the files.
    ///   - hasCommonName: Whether that is a common name; otherwise the name of an organization.
    ///   - alternatives: The addresses and hosts that it is valid for, as openssl writes them.
    package func issue(
        _ name: String, hasCommonName: Bool = true, alternatives: String = "IP:127.0.0.1,DNS:localhost"
    ) throws -> Identity {
        let identity = Self.identity(name, in: folder)
        let extensions = [
            "basicConstraints=critical,CA:FALSE", "extendedKeyUsage=serverAuth,clientAuth",
            "subjectAltName=\(alternatives)",
        ]
        try Self.request(
            identity, subject: "/\(hasCommonName ? "CN" : "O")=\(name)", extensions,
            ["-CA", own.certificate, "-CAkey", own.key], folder)
        return identity
    }

    private static func identity(_ name: String, in folder: TemporaryFolder) -> Identity {
        Identity(certificate: folder.path(of: "\(name).pem"), key: folder.path(of: "\(name).key"))
    }

    private static func request(
        _ identity: Identity, subject: String, _ extensions: [String], _ signer: [String], _ folder: TemporaryFolder
    ) throws {
        // Without the system's configuration, which would add extensions of its own.
        try folder.write("openssl.cnf", "[req]\ndistinguished_name=name\n[name]\n")
        let result = try Programs.openssl.program.run(
            [
                "req", "-x509", "-config", folder.path(of: "openssl.cnf"), "-days", "2", "-nodes",
                "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", subject,
                "-keyout", identity.key, "-out", identity.certificate,
            ] + signer + extensions.flatMap { ["-addext", $0] }, in: folder)
        guard result.code == 0 else { throw TestSupportError("openssl req: \(result.messages)") }
    }
}

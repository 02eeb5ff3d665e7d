/// How to reach an etcd cluster.
///
/// ```swift
/// var options = EtcdOptions(endpoints: ["https://etcd1.example:2379", "https://etcd2.example:2379"])
/// options.credentialsFile = "/etc/service/etcd-user"
/// ```
public struct EtcdOptions: Sendable, Hashable {
    /// The client URLs of the members, such as `https://etcd.example:2379`. `host:port` means `http://host:port`.
    public var endpoints: [String]

    /// A file with `user:password` in its first line. It must belong to the effective user or root, and nobody else may
    /// have access (mode 0600). It is read at each authentication, so that the password can be changed.
    public var credentialsFile: String?

    /// The certificate authorities that sign the members' certificates, as PEM; nil for those of the system. The
    /// certificate and the host name are always verified.
    public var certificateAuthorityFile: String?

    /// The certificate of this client, as PEM, with those between it and an authority that the members trust; nil for none.
    /// Members that are started with `--client-cert-auth` require one.
    ///
    /// It does not replace ``credentialsFile``: etcd's gateway takes no user from a certificate, and while authentication
    /// is enabled refuses one that has a common name. It is read for each connection, so that it can be renewed.
    public var clientCertificateFile: String?

    /// The private key of that certificate, as PEM and without a passphrase; nil if ``clientCertificateFile`` has it, too.
    /// It must belong to the effective user or root. Its group may read it, and others may not (mode 0640 or 0600).
    public var clientKeyFile: String?

    /// The time limit for a connection to one endpoint, including TLS.
    public var connectTimeout: Duration = .seconds(2)

    /// The time limit for one request to one endpoint, including the connection.
    public var requestTimeout: Duration = .seconds(5)

    /// Creates options without authentication, with the certificate authorities of the system.
    public init(endpoints: [String]) { self.endpoints = endpoints }
}

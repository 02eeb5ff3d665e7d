internal import Glibc

extension EtcdOptions {
    /// Checks that the files can be read, and that others cannot read what is secret.
    func checkFiles() throws(EtcdError) {
        if let file = credentialsFile { _ = try Credentials(readFrom: file) }
        try Self.checkReadable(certificateAuthorityFile, "certificate authority file")
        try Self.checkReadable(clientCertificateFile, "client certificate file")
        if let file = clientKeyFile, clientCertificateFile == nil {
            throw .unusableFile(file, "client key file", "needs the file of the certificate, too")
        }
        if let file = clientKeyFile ?? clientCertificateFile {
            let what = clientKeyFile == nil ? "file of the client certificate and its key" : "client key file"
            _ = try PrivateFile.opened(file, what, groupMayRead: true)
        }
    }

    private static func checkReadable(_ path: String?, _ what: String) throws(EtcdError) {
        guard let path else { return }
        guard !path.utf8.contains(0) else { throw .unusableFile(path, what, "has NUL in its path") }
        if access(path, R_OK) != 0 {
            throw .unusableFile(path, what, "cannot be read: \(String(cString: strerror(errno)))")
        }
    }
}

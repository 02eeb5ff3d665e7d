import Foundation
import HTTPServer

/// Decides who may change something: clients with the token, which the log shows when the service starts.
///
/// Other users of the machine can reach a loopback address, and so can pages in this user's browser.
struct Access: Sendable {
    /// The token for `Authorization: Bearer`, and for the link to the page.
    let token: String
    /// The secret of the page's cookie. It is not the token, because browsers send cookies to all ports of a host, and
    /// so to other programs.
    let cookie: String
    /// The name of the cookie. Services on other ports of the host use other names.
    let cookieName: String

    /// Reads the secrets of a file that only this user can read, or creates them. Secrets that others could read are
    /// replaced.
    init(secretsAt path: String, _ log: Log) throws {
        let directory = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // Locked, because another service may create the file at the same time.
        let lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw Self.error(path, String(cString: strerror(errno))) }
        defer { close(lock) }
        (token, cookie) = try Self.read(path, log) ?? Self.create(path, in: lock)
        // 32 bits of a hash reveal nothing about a secret of 256 bits.
        let hash = cookie.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
        cookieName = "liveservice-" + String(hash, radix: 16)
    }

    private static func create(_ path: String, in directory: Int32) throws -> (token: String, cookie: String) {
        let new = (0..<2).map { _ in
            (0..<32).map { _ in String(format: "%02x", UInt8.random(in: 0 ... .max)) }.joined()
        }
        let temporary = "\(path).new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw error(path, String(cString: strerror(errno))) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data("\(new[0])\n\(new[1])\n".utf8))
        guard fsync(descriptor) == 0, rename(temporary, path) == 0, fsync(directory) == 0 else {
            throw error(path, String(cString: strerror(errno)))
        }
        return (new[0], new[1])
    }

    /// Returns the secrets; nil if there are none, or others could read them.
    private static func read(_ path: String, _ log: Log) throws -> (token: String, cookie: String)? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw error(path, String(cString: strerror(errno))) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid() else {
            throw error(path, "it must belong to the user of the service")
        }
        if status.st_mode & 0o077 != 0 {
            log.warning("other users could read the token: it is replaced", ["file": path])
            return nil
        }
        let lines = String(decoding: try file.read(upToCount: 1_000) ?? Data(), as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, lines.allSatisfy({ $0.count == 64 }) else {
            throw error(path, "it has no token; delete it to create a new one")
        }
        return (String(lines[0]), String(lines[1]))
    }

    private static func error(_ path: String, _ reason: String) -> any Error {
        Failure(description: "\(path): \(reason)")
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the rejection of a request that may not change anything; nil if it may.
    func rejection(of request: HTTPRequest) -> HTTPResponse? {
        let host = request.headers["host"] ?? ""
        if let origin = request.headers["origin"], origin != "http://\(host)", origin != "https://\(host)" {
            return .text(403, "requests from other sites are rejected")
        }
        if let authorization = request.headers["authorization"], authorization.lowercased().hasPrefix("bearer ") {
            return isToken(String(authorization.dropFirst(7))) ? nil : Self.isWrong
        }
        guard let given = request.cookie(cookieName) else {
            return .text(401, "a token is required: see the log of the service", ["WWW-Authenticate": "Bearer"])
        }
        return Self.rejectionOfHost(of: request) ?? (Self.isSame(given, cookie) ? nil : Self.isWrong)
    }

    private static let isWrong = HTTPResponse.text(403, "the token is wrong: see the log of the service")

    /// Returns the rejection of a request with a foreign host name; nil if the name is allowed. A foreign name that
    /// leads to this address may belong to the page of another site (DNS rebinding).
    static func rejectionOfHost(of request: HTTPRequest) -> HTTPResponse? {
        isLocal(request.headers["host"] ?? "") ? nil : .text(421, "unknown host name: use an IP address or localhost")
    }

    func isToken(_ text: String) -> Bool { Self.isSame(text, token) }

    /// Compares in constant time.
    private static func isSame(_ given: String, _ expected: String) -> Bool {
        let (given, expected) = (Array(given.utf8), Array(expected.utf8))
        guard given.count == expected.count else { return false }
        return zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Whether a host is an IP address or this machine, with or without a port.
    private static func isLocal(_ host: String) -> Bool {
        let name = host.replacing(/:[0-9]+$/, with: "")
        if name == "localhost" { return true }
        var address = in6_addr()
        if name.hasPrefix("["), name.hasSuffix("]") {
            return inet_pton(AF_INET6, String(name.dropFirst().dropLast()), &address) == 1
        }
        return inet_pton(AF_INET, name, &address) == 1
    }
}

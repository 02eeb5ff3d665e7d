import Foundation
import HTTPServer

/// Who may change something: clients with the token, which the log shows when the service starts.
///
/// Other users of the machine can reach a loopback address, and so can pages in this user's browser.
struct Access: Sendable {
    static let cookieName = "liveservice"

    /// For `Authorization: Bearer`, and the link to the page.
    let token: String
    /// What the page has instead. A browser sends it to other ports of this host, too, where the token would give more.
    let cookie: String

    /// Reads the secrets of a file that only this user can read, or creates them.
    init(secretsAt path: String) throws {
        if let known = try Self.read(path) {
            (token, cookie) = known
            return
        }
        let new = (0..<2).map { _ in (0..<32).map { _ in String(format: "%02x", UInt8.random(in: 0 ... .max)) }.joined()
        }
        // A complete file gets the name: another service may create one at the same time.
        let temporary = "\(path).\(getpid())"
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.error(path, String(cString: strerror(errno))) }
        defer { unlink(temporary) }
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            .write(contentsOf: Data("\(new[0])\n\(new[1])\n".utf8))
        link(temporary, path)
        guard let first = try Self.read(path) else { throw Self.error(path, "it cannot be created") }
        (token, cookie) = first
    }

    private static func read(_ path: String) throws -> (token: String, cookie: String)? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw error(path, String(cString: strerror(errno))) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw error(path, "it must belong to this user, and nobody else may read it (chmod 600)")
        }
        let lines = String(decoding: try file.read(upToCount: 1_000) ?? Data(), as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, lines.allSatisfy({ $0.count == 64 }) else {
            throw error(path, "it has no token; remove it, and another one is made")
        }
        return (String(lines[0]), String(lines[1]))
    }

    private static func error(_ path: String, _ reason: String) -> any Error {
        Failure(description: "\(path): \(reason)")
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Why a request may not change anything; nil if it may.
    func rejection(of request: HTTPRequest) -> HTTPResponse? {
        // A name that leads to this address, but is not ours, belongs to a page of somebody else (DNS rebinding).
        let host = request.headers["host"] ?? ""
        guard Self.isLocal(host) else { return .text(421, "this service has no such name") }
        if let origin = request.headers["origin"], origin != "http://\(host)", origin != "https://\(host)" {
            return .text(403, "requests of other sites are not answered")
        }
        let isAllowed: Bool
        if let authorization = request.headers["authorization"], authorization.hasPrefix("Bearer ") {
            isAllowed = isToken(String(authorization.dropFirst(7)))
        } else if let given = request.cookie(Self.cookieName) {
            isAllowed = Self.isSame(given, cookie)
        } else {
            return .text(401, "a token is required: see the log of the service", ["WWW-Authenticate": "Bearer"])
        }
        return isAllowed ? nil : .text(403, "the token is wrong: see the log of the service")
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

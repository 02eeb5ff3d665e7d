import Foundation
import HTTPServer

/// Who may change something: clients with the token, which the log shows when the service starts.
///
/// Other users of the machine can reach a loopback address, and so can pages in this user's browser.
struct Access: Sendable {
    static let cookie = "liveservice"

    let token: String

    /// Reads the token of a file, or creates both.
    init(tokenAt path: String) throws {
        if let known = Self.read(path) {
            token = known
            return
        }
        let new = (0..<32).map { _ in String(format: "%02x", UInt8.random(in: 0 ... .max)) }.joined()
        // A complete file gets the name: another service may create one at the same time.
        let temporary = "\(path).\(getpid())"
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: Data("\(new)\n".utf8), attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: temporary]) }
        defer { unlink(temporary) }
        link(temporary, path)
        guard let first = Self.read(path) else {
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: path])
        }
        token = first
    }

    private static func read(_ path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return text.count == 64 ? text : nil
    }

    /// Why a request may not change anything; nil if it may.
    func rejection(of request: HTTPRequest) -> HTTPResponse? {
        // A name that leads to this address, but is not ours, belongs to a page of somebody else (DNS rebinding).
        let host = request.headers["host"] ?? ""
        guard Self.isLocal(host) else { return .text(421, "this service has no such name") }
        if let origin = request.headers["origin"], origin != "http://\(host)", origin != "https://\(host)" {
            return .text(403, "requests of other sites are not answered")
        }
        let bearer = request.headers["authorization"].flatMap { $0.hasPrefix("Bearer ") ? $0.dropFirst(7) : nil }
        guard let given = bearer.map(String.init) ?? request.cookie(Self.cookie) else {
            return .text(401, "a token is required: see the log of the service", ["WWW-Authenticate": "Bearer"])
        }
        return isToken(given) ? nil : .text(403, "the token is wrong: see the log of the service")
    }

    /// Compares in constant time.
    func isToken(_ text: String) -> Bool {
        let (given, expected) = (Array(text.utf8), Array(token.utf8))
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

/// A request, with its body.
public struct HTTPRequest: Sendable {
    public let method: String
    /// The decoded path, without the query.
    public let path: String
    /// The parameters of the query, decoded. If a name occurs several times, the last value.
    public let query: [String: String]
    /// The headers, by lowercase names.
    public let headers: [String: String]
    /// Whether the connection is encrypted.
    public let isEncrypted: Bool
    public internal(set) var body: [UInt8] = []

    /// A cookie of the client.
    public func cookie(_ name: String) -> String? {
        for part in (headers["cookie"] ?? "").split(separator: ";") {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2, pair[0] == name { return String(pair[1]) }
        }
        return nil
    }
}

/// A response whose body is known.
public struct HTTPResponse: Sendable {
    public var status: Int
    public var headers: [String: String]
    public var body: [UInt8]

    public init(_ status: Int, _ headers: [String: String] = [:], body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    public static func text(_ status: Int, _ text: String, _ headers: [String: String] = [:]) -> HTTPResponse {
        let type = ["Content-Type": "text/plain; charset=utf-8"]
        return HTTPResponse(status, headers.merging(type) { own, _ in own }, body: Array("\(text)\n".utf8))
    }

    public static func json(_ status: Int, _ text: some Sequence<UInt8>) -> HTTPResponse {
        HTTPResponse(status, ["Content-Type": "application/json"], body: Array(text) + [UInt8(ascii: "\n")])
    }
}

/// The reply to a request.
public enum HTTPReply: Sendable {
    case response(HTTPResponse)
    /// A response that is computed later. The connection uses no thread meanwhile.
    case later(@Sendable () async -> HTTPResponse)
    /// Server-sent events, until the stream or the client ends.
    case events(EventStream)
}

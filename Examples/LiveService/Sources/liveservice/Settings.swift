import Foundation
import LosslessJSON
import SessionMirror

/// The settings of the service, with the defaults of keys that the file leaves out.
struct Settings: Codable, Sendable, Equatable {
    /// The greeting in the answer to `/`.
    var greeting = "hello"
    var logLevel = Log.Level.info
    var listen = Listen()
    /// The limits of the tenants that may use `/tenants/NAME`.
    var tenants: [String: RateLimit] = [:]
    /// Switches. The answer to `/` lists the ones that are on.
    var features: [String: Bool] = [:]
    /// The services that this one would call.
    var upstreams: [String: Upstream] = [:]
    /// How long a file may be invalid, or saving may fail, before `/healthz` answers with 503.
    var unhealthyAfter = Duration.seconds(60)

    struct Listen: Codable, Sendable, Equatable {
        /// An IP address. Only this machine can use the service by default.
        var host = "127.0.0.1"
        /// 0 is any free port.
        var port = 8080
        /// The certificate; if nil, connections are not encrypted.
        var tls: TLS?
        /// How long a client may take to send a request, or pause between two.
        var requestTime = Duration.seconds(15)
    }

    /// The paths of files in PEM form. They are read when the service begins to listen.
    struct TLS: Codable, Sendable, Equatable {
        var certificate: String
        var key: String
    }

    struct RateLimit: Defaulted, Sendable, Equatable {
        var requestsPerSecond = 10.0
        /// The number of requests that may come at once.
        var burst = 20
    }

    struct Upstream: PartlyDefaulted, Sendable, Equatable {
        var url: URL
        var timeout: Duration
        /// Sent with each request. Neither the log nor the page shows it.
        var token: String?

        static let defaults: JSON = ["timeout": "2s"]
    }
}

extension Settings {
    static let secrets: JSONSecrets = ["upstreams.*.token"]

    /// Whether the comment of a value may have a secret, such as a former token: true for the whole member with
    /// secrets.
    static func mayRevealSecret(_ path: JSONPointer) -> Bool { path.tokens.first == "upstreams" }

    /// Rejects values that have the right type but are invalid.
    func check() throws(ValidationError) {
        if greeting.isEmpty { throw ValidationError("must not be empty", at: "greeting") }
        if !(0...65_535).contains(listen.port) { throw ValidationError("must be 0 to 65535", at: "listen.port") }
        if !Self.isAddress(listen.host) {
            throw ValidationError("must be an IP address, such as 127.0.0.1 or ::", at: "listen.host")
        }
        if !(.seconds(1) ... .seconds(3_600)).contains(listen.requestTime) {
            throw ValidationError("must be 1s to 1h", at: "listen.requestTime")
        }
        for (name, limit) in tenants {
            let path = JSONPointer(["tenants", name])
            if name.isEmpty { throw ValidationError("a tenant must have a name", at: path) }
            if !(0.001...1_000_000).contains(limit.requestsPerSecond) {
                throw ValidationError("must be 0.001 to 1000000", at: path.appending("requestsPerSecond"))
            }
            if !(1...1_000_000).contains(limit.burst) {
                throw ValidationError("must be 1 to 1000000", at: path.appending("burst"))
            }
        }
        for (name, upstream) in upstreams {
            let path = JSONPointer(["upstreams", name])
            if !["http", "https"].contains(upstream.url.scheme) || upstream.url.host == nil {
                throw ValidationError("must be an http or https URL with a host", at: path.appending("url"))
            }
            if upstream.timeout <= .zero { throw ValidationError("must be more than 0", at: path.appending("timeout")) }
        }
        if unhealthyAfter < .zero { throw ValidationError("must not be negative", at: "unhealthyAfter") }
    }

    private static func isAddress(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET, text, &address) == 1 || inet_pton(AF_INET6, text, &address) == 1
    }
}

import HTTPServer
import LosslessJSON
import SessionMirror

/// Answers requests, each from one version of the settings.
final class Service: Sendable {
    let settings: Session<Settings>
    let state: Session<Counters>
    let health = Health([("settings", true), ("state", false)])
    let log: Log
    let events: LiveEvents
    /// The name under which hits are counted.
    private let name: String
    private let access: Access
    private let page: AdminPage
    private let metrics = Metrics()
    private let limiter = RateLimiter()

    init(
        _ options: Options, _ settings: Session<Settings>, _ state: Session<Counters>, _ access: Access, _ log: Log
    ) {
        name = options.name
        (self.settings, self.state, self.access, self.log) = (settings, state, access, log)
        events = LiveEvents(settings, isReadOnly: options.isReadOnly, log)
        page = AdminPage(editor: SettingsEditor(settings), state: state, access: access, events: events)
    }

    /// Answers a request. Never waits for the disk.
    func reply(to request: HTTPRequest, of server: HTTPServer) -> HTTPReply {
        let (route, reply) = route(request, server)
        switch reply {
        case .response(let response): count(route, response.status)
        case .later(let body):
            return .later { [self] in
                let response = await body()
                count(route, response.status)
                return response
            }
        case .events: count(route, 200)
        }
        return reply
    }

    private func count(_ route: String, _ status: Int) {
        metrics.count(route, status)
        log.debug("answered", ["route": route, "status": "\(status)"])
    }

    /// The name of the route, for the counters, and the reply.
    private func route(_ request: HTTPRequest, _ server: HTTPServer) -> (String, HTTPReply) {
        let isReading = request.method == "GET" || request.method == "HEAD"
        switch request.path {
        case "/": return ("/", isReading ? .response(greeting()) : .notAllowed("GET, HEAD"))
        case "/healthz": return ("/healthz", isReading ? .response(healthReport()) : .notAllowed("GET, HEAD"))
        case "/metrics": return ("/metrics", isReading ? .response(metricsText(server)) : .notAllowed("GET, HEAD"))
        case "/orders": return ("/orders", request.method == "POST" ? order(request) : .notAllowed("POST"))
        case let path where path.hasPrefix("/tenants/"):
            let name = String(path.dropFirst("/tenants/".count))
            return ("/tenants", isReading ? .response(tenant(name)) : .notAllowed("GET, HEAD"))
        case "/admin": return ("/admin", page.reply(to: request))
        case let path where path.hasPrefix("/admin/"): return ("/admin", page.reply(to: request))
        default: return ("other", .response(.text(404, "there is nothing here")))
        }
    }

    private func greeting() -> HTTPResponse {
        let settings = settings.snapshot
        try? state.update { $0.hits[name, default: 0] += 1 }
        let features = settings.value.features.filter(\.value).keys.sorted().map { JSON($0) }
        let answer: JSON = [
            "greeting": JSON(settings.value.greeting), "features": .array(JSONArray(features)),
            "version": JSON(settings.version.number),
        ]
        return .json(200, answer)
    }

    private func tenant(_ name: String) -> HTTPResponse {
        guard let limit = settings[\.tenants][name] else { return .text(404, "there is no such tenant") }
        if let wait = limiter.take(name, limit) {
            let seconds = (wait / .seconds(1)).rounded(.up)
            return .text(429, "the limit of the tenant is reached", ["Retry-After": "\(Int(seconds))"])
        }
        return .json(200, ["tenant": JSON(name)])
    }

    private func healthReport() -> HTTPResponse {
        let (isHealthy, report) = health.report(after: settings.unhealthyAfter)
        return .json(isHealthy ? 200 : 503, report)
    }

    private func metricsText(_ server: HTTPServer) -> HTTPResponse {
        let text = metrics.text(
            state.snapshot.value, active: server.activeRequests,
            [("settings", settings.mirror.metrics), ("state", state.mirror.metrics)])
        return HTTPResponse(
            200, ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"], body: Array(text.utf8))
    }

    /// Numbers an order. Each number is given once, even if several services use the same file.
    private func order(_ request: HTTPRequest) -> HTTPReply {
        if let rejection = access.rejection(of: request) { return .response(rejection) }
        return .later { [state, log] in
            do {
                let number = try await state.commit { state in
                    state.orders += 1
                    return state.orders
                }
                return .json(201, ["order": JSON(number)])
            } catch {
                log.error("an order has no number", ["error": "\(error)"])
                return .text(503, "the order could not be saved")
            }
        }
    }

    /// Removes the state of tenants that the settings no longer have.
    func tenantsChanged(_ tenants: [String: Settings.RateLimit]) { limiter.keepOnly(tenants.keys) }
}

extension HTTPReply {
    fileprivate static func notAllowed(_ methods: String) -> HTTPReply { .response(.notAllowed(methods)) }
}

extension HTTPResponse {
    static func notAllowed(_ methods: String) -> HTTPResponse {
        .text(405, "the method is not allowed here", ["Allow": methods])
    }

    static func json(_ status: Int, _ value: JSON) -> HTTPResponse {
        .json(status, JSONPrinter(layout: .compact).bytes(value))
    }
}

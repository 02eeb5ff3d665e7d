internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// An HTTP server, by libmicrohttpd. It can listen on a new socket while connections of the old one go on.
public final class HTTPServer: Sendable {
    /// Answers a request, on a thread of the server. It must not wait: see ``HTTPReply/later(_:)``.
    public typealias Handler = @Sendable (HTTPRequest, HTTPServer) -> HTTPReply

    /// What clients may use.
    public struct Limits: Sendable {
        /// The bytes of the request line and the headers, and the buffers of a connection.
        public var connectionMemory = 32 * 1_024
        /// The bytes of a body.
        public var body = 64 * 1_024
        public var connections = 2_000
        /// How long a client may take for its request, and rest between two; at least a second.
        public var requestTime = Duration.seconds(15)

        public init() {}
    }

    /// A certificate and its key, in PEM form.
    public struct TLS: Sendable, Hashable {
        let certificate: String
        let key: String

        public init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
    }

    let handler: Handler
    let log: @Sendable (String) -> Void
    private let state = Mutex(State())

    private struct State {
        var daemon: ListeningDaemon?
        /// Those that accept no connections any more, but have some.
        var retired: [ListeningDaemon] = []
    }

    /// - Parameter log: Takes messages about connections, of one line.
    public init(log: @escaping @Sendable (String) -> Void, handler: @escaping Handler) {
        (self.log, self.handler) = (log, handler)
    }

    /// Listens on a socket, and on no other any more. Connections of the others go on until they end by themselves.
    ///
    /// - Throws: What libmicrohttpd cannot do. Then nothing has changed.
    public func listen(
        on socket: consuming ListeningSocket, tls: TLS? = nil, limits: Limits = Limits()
    ) throws(ListeningSocket.Failure) {
        let new = try ListeningDaemon(socket, tls, limits, self)
        let old = state.withLock { state in
            let old = state.daemon
            state.daemon = new
            if let old { state.retired.append(old) }
            return old
        }
        old?.retire()
    }

    /// The number of requests that are being received or answered, without streams of events.
    public var activeRequests: Int { allDaemons.reduce(0) { $0 + $1.activeRequests } }

    private var allDaemons: [ListeningDaemon] {
        state.withLock { state in state.retired + (state.daemon.map { [$0] } ?? []) }
    }

    /// Ends connections that have taken too long, and daemons without any; to be called about once a second.
    public func performMaintenance() {
        for daemon in allDaemons { daemon.endOverdueConnections() }
        let idle = state.withLock { state in
            let idle = state.retired.filter(\.isIdle)
            state.retired.removeAll { daemon in idle.contains { $0 === daemon } }
            return idle
        }
        for daemon in idle { daemon.stop() }
    }

    /// Accepts no connections any more, finishes requests, for `grace` at most, and ends all connections.
    public func stop(within grace: Duration) async {
        let daemons = allDaemons
        for daemon in daemons { daemon.retire() }
        let end = ContinuousClock.now + grace
        repeat { try? await Task.sleep(for: .milliseconds(20)) } while activeRequests > 0 && ContinuousClock.now < end
        for daemon in daemons { daemon.endStreams() }
        // libmicrohttpd must not be stopped while connections are suspended.
        while daemons.contains(where: \.hasSuspended), ContinuousClock.now < end + .seconds(1) {
            try? await Task.sleep(for: .milliseconds(10))
        }
        state.withLock { $0 = State() }
        for daemon in daemons where !daemon.hasSuspended { daemon.stop() }
    }
}

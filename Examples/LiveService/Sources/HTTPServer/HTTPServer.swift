internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// An HTTP server that uses libmicrohttpd. Its socket and certificate can change while connections continue.
public final class HTTPServer: Sendable {
    /// Answers a request, on a thread of the server. It must not wait: see ``HTTPReply/later(_:)``.
    public typealias Handler = @Sendable (HTTPRequest, HTTPServer) -> HTTPReply

    /// The reason why the server cannot start or apply a configuration.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// The limits for clients.
    public struct Limits: Sendable, Hashable {
        /// The bytes of the request line and the headers, and the buffers of a connection.
        public var connectionMemory = 32 * 1_024
        /// The bytes of a body.
        public var body = 64 * 1_024
        /// The number of open connections; further ones are closed. Leaves descriptors for the files of the program.
        public var connections = min(2_000, max(50, Int(clamping: sysconf(Int32(_SC_OPEN_MAX))) - 200))
        /// How long a client may take to send a request, or pause between two; at least a second.
        public var requestTime = Duration.seconds(15)

        public init() {}
    }

    /// A certificate and its key, in PEM form.
    public struct TLS: Sendable, Hashable {
        let certificate: String
        let key: String

        public init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
    }

    /// The configuration of a daemon.
    struct Configuration: Hashable {
        var tls: TLS?
        var limits: Limits
    }

    let handler: Handler
    let log: @Sendable (String) -> Void
    private let state = Mutex(State())

    private struct State {
        var acceptor: Acceptor?
        var configuration: Configuration?
        /// One daemon for each processor.
        var daemons: [ConnectionDaemon] = []
        var next = 0
        /// Daemons of earlier configurations, which still have connections.
        var retired: [ConnectionDaemon] = []
        var isStopped = false
    }

    /// - Parameter log: Takes messages about connections, of one line.
    public init(log: @escaping @Sendable (String) -> Void, handler: @escaping Handler) {
        (self.log, self.handler) = (log, handler)
    }

    /// Changes how new connections are served. Earlier connections continue until they end.
    ///
    /// - Throws: A ``Failure``, if that is not possible. Then nothing has changed.
    public func serve(with tls: TLS?, limits: Limits) throws(Failure) {
        let count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        var configuration = Configuration(tls: tls, limits: limits)
        configuration.limits.connections = (limits.connections + count - 1) / count
        if state.withLock({ $0.configuration == configuration }) { return }
        var new: [ConnectionDaemon] = []
        do throws(Failure) {
            for _ in 0..<count {
                new.append(try ConnectionDaemon(configuration, self))
            }
        } catch {
            for daemon in new { daemon.stop() }
            throw error
        }
        let unused = state.withLock { [new] state in
            if state.isStopped { return new }
            for daemon in state.daemons { daemon.retire() }
            state.retired += state.daemons
            (state.daemons, state.configuration) = (new, configuration)
            return []
        }
        for daemon in unused { daemon.stop() }
    }

    /// Opens a socket to listen on instead of the current one, which may have the same port at another address.
    public func openSocket(_ host: String, _ port: Int) throws(ListeningSocket.Failure) -> ListeningSocket {
        let current = state.withLock { $0.acceptor }
        current?.sharePort(true)
        defer { current?.sharePort(false) }
        let new = try ListeningSocket(host, port, sharesPort: current != nil)
        new.sharePort(false)
        return new
    }

    /// Listens on a socket instead of the previous one.
    public func listen(on socket: consuming ListeningSocket) {
        let new = Acceptor(socket) { [weak self] in self?.deliver($0, $1, $2) }
        let (old, isStopped) = state.withLock { state in
            let old = state.acceptor
            state.acceptor = state.isStopped ? nil : new
            return (old, state.isStopped)
        }
        old?.retire()
        if isStopped { new.stop() }
    }

    private func deliver(_ connection: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) {
        let daemon: ConnectionDaemon? = state.withLock { state in
            if state.daemons.isEmpty { return nil }
            state.next = (state.next + 1) % state.daemons.count
            return state.daemons[state.next]
        }
        if let daemon { daemon.add(connection, address, size) } else { close(connection) }
    }

    /// The number of requests that are being received or answered, without streams of events.
    public var activeRequests: Int {
        let daemons = state.withLock { $0.daemons + $0.retired }
        return daemons.reduce(0) { $0 + $1.activeRequests }
    }
}

// Ending.
extension HTTPServer {
    /// Ends connections that have taken too long, and retired daemons without connections. Call it about once a second.
    public func performMaintenance() {
        for daemon in state.withLock({ $0.daemons + $0.retired }) { daemon.endOverdueConnections() }
        // Call the daemons without the lock, which their threads may need.
        let idle = state.withLock { state in
            let idle = state.isStopped ? [] : state.retired.filter(\.isIdle)
            state.retired.removeAll { daemon in idle.contains { $0 === daemon } }
            return idle
        }
        for daemon in idle { daemon.stop() }
    }

    /// How long the server must be idle before it stops, because requests may be in transit.
    private static let quietTime = Duration.milliseconds(200)

    /// Refuses new connections, finishes requests for at most `grace`, and ends all connections.
    public func stop(within grace: Duration) async {
        let (acceptor, daemons) = state.withLock { state in
            state.isStopped = true
            return (state.acceptor.take(), state.daemons + state.retired)
        }
        acceptor?.stop()
        for daemon in daemons { daemon.retire() }
        let end = ContinuousClock.now + grace
        var quietSince = ContinuousClock.now
        while ContinuousClock.now < min(end, quietSince + Self.quietTime) {
            try? await Task.sleep(for: .milliseconds(10))
            if daemons.contains(where: { $0.activeRequests > 0 }) { quietSince = .now }
        }
        for daemon in daemons { daemon.beginEnding() }
        while daemons.contains(where: \.isBusy), ContinuousClock.now < end + .seconds(1) {
            try? await Task.sleep(for: .milliseconds(10))
        }
        for daemon in daemons {
            daemon.endStreams()
            // A daemon with a suspended connection cannot be stopped. Its thread uses it until the process ends.
            if daemon.isBusy { _ = Unmanaged.passRetained(daemon) } else { daemon.stop() }
        }
        if daemons.contains(where: \.isBusy) { _ = Unmanaged.passRetained(self) }
        state.withLock { ($0.daemons, $0.retired) = ([], []) }
    }
}

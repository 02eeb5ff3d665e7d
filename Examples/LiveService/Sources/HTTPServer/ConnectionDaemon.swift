internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// A daemon of libmicrohttpd: one thread that reads the requests of its connections and sends the responses.
final class ConnectionDaemon: Sendable {
    private struct Client {
        /// When the connection is ended, unless a response begins earlier; nil during a response.
        var deadline: ContinuousClock.Instant?
        let descriptor: Int32
    }

    private struct State {
        /// The clients, by the addresses of their connections.
        var clients: [UInt: Client] = [:]
        /// The number of open connections, including those that libmicrohttpd has not seen yet.
        var connections = 0
        var exchanges: [ObjectIdentifier: Exchange] = [:]
        /// The exchanges whose handler runs, or whose connection is suspended until there is a response.
        var busy: Set<ObjectIdentifier> = []
        /// When the daemon was retired, and no longer gets connections; nil before.
        var retired: ContinuousClock.Instant?
        /// Whether handlers are no longer called.
        var isEnding = false
    }

    private let limits: HTTPServer.Limits
    private let isEncrypted: Bool
    private unowned let server: HTTPServer
    // Set once, by the initializer.
    private nonisolated(unsafe) var daemon: OpaquePointer!
    private nonisolated(unsafe) let callbacks = UnsafeMutablePointer<live_daemon_callbacks>.allocate(capacity: 1)
    private let state = Mutex(State())

    init(_ configuration: HTTPServer.Configuration, _ server: HTTPServer) throws(HTTPServer.Failure) {
        (limits, isEncrypted, self.server) = (configuration.limits, configuration.tls != nil, server)
        callbacks.initialize(to: Self.callbacks(Unmanaged.passUnretained(self).toOpaque()))
        var options = live_daemon_options()
        options.idle_timeout = UInt32(limits.requestTime.components.seconds)
        options.memory_limit = limits.connectionMemory
        if let tls = configuration.tls {
            daemon = tls.certificate.withCString { certificate in
                tls.key.withCString { key in
                    (options.certificate, options.key) = (certificate, key)
                    return live_start_daemon(&options, callbacks)
                }
            }
        } else {
            daemon = live_start_daemon(&options, callbacks)
        }
        guard daemon != nil else {
            let reason =
                configuration.tls == nil
                ? "the log says why" : "check that the certificate is valid and matches the key"
            throw HTTPServer.Failure(description: "the HTTP server cannot start: \(reason)")
        }
    }

    deinit { callbacks.deallocate() }

    private static func callbacks(_ context: UnsafeMutableRawPointer) -> live_daemon_callbacks {
        live_daemon_callbacks(
            handle: { context, connection, url, method, _, upload, count, exchange in
                ConnectionDaemon.of(context).handle(connection!, url!, method!, upload, count!, exchange!)
            },
            completed: { context, connection, exchange, _ in
                guard let known = exchange?.pointee else { return }
                ConnectionDaemon.of(context).completed(
                    Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue(), connection!)
            },
            connection: { context, connection, socketContext, code in
                // MHD_CONNECTION_NOTIFY_STARTED
                ConnectionDaemon.of(context).connectionChanged(connection!, isNew: code.rawValue == 0)
            },
            log: { context, line in ConnectionDaemon.of(context).server.log(String(cString: line!)) },
            context: context)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> ConnectionDaemon {
        Unmanaged<ConnectionDaemon>.fromOpaque(context!).takeUnretainedValue()
    }

    /// Takes a connection, and its descriptor. Closes it if there are too many.
    ///
    /// Connections are counted here, because libmicrohttpd 0.9.75 counts a connection some time after it was added, and
    /// if there are too many then, its thread waits for a lock forever.
    func add(_ connection: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) {
        let isAllowed = state.withLock { state in
            if state.connections >= limits.connections { return false }
            state.connections += 1
            return true
        }
        if !isAllowed {
            close(connection)
            server.log("too many connections: one was closed")
        } else if MHD_add_connection(daemon, connection, address, size) == .NO {
            state.withLock { $0.connections -= 1 }
        }
    }

    /// The number of requests that are being received or answered, without streams of events.
    var activeRequests: Int { state.withLock { $0.exchanges.values.count { $0.stream == nil } } }
}

// Called by libmicrohttpd.
extension ConnectionDaemon {
    private func handle(
        _ connection: OpaquePointer, _ url: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>,
        _ upload: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>,
        _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> MHD_Result {
        guard let known = context.pointee else {
            let exchange = Exchange(connection, request(connection, url, method), bodyLimit: limits.body)
            context.pointee = Unmanaged.passRetained(exchange).toOpaque()
            state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = exchange }
            return exchange.isAnnouncedTooLarge
                ? exchange.send(.text(413, "the body is too large"), isLast: true) : .YES
        }
        let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
        if count.pointee > 0 {
            exchange.receive(UnsafeRawBufferPointer(start: upload, count: count.pointee))
            count.pointee = 0
            return .YES
        }
        return answer(exchange, connection)
    }

    private func answer(_ exchange: Exchange, _ connection: OpaquePointer) -> MHD_Result {
        let (identifier, address) = (ObjectIdentifier(exchange), UInt(bitPattern: connection))
        let isLast = state.withLock { state in
            state.clients[address]?.deadline = nil
            return state.retired != nil
        }
        if let response = exchange.takeResponse() { return exchange.send(response, isLast: isLast) }
        // Marked as busy under the lock, so that the daemon is not stopped while a handler may suspend the connection.
        let isEnding = state.withLock { state in
            if !state.isEnding { state.busy.insert(identifier) }
            return state.isEnding
        }
        if isEnding { return exchange.send(.text(503, "the service is stopping"), isLast: true) }
        let reply = exchange.reply { server.handler($0, server) }
        return exchange.answer(reply, isLast: isLast) { [weak self] in
            self?.state.withLock { _ = $0.busy.remove(identifier) }
        }
    }

    private func request(
        _ connection: OpaquePointer, _ url: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>
    ) -> HTTPRequest {
        HTTPRequest(
            method: String(cString: method), path: String(cString: url),
            query: Self.values(connection, .GET_ARGUMENT_KIND) { $0 },
            headers: Self.values(connection, .HEADER_KIND) { $0.lowercased() }, isEncrypted: isEncrypted)
    }

    private static func values(
        _ connection: OpaquePointer, _ kind: MHD_ValueKind, _ name: (String) -> String
    ) -> [String: String] {
        var pairs: [(String, String)] = []
        withUnsafeMutablePointer(to: &pairs) { pairs in
            _ = MHD_get_connection_values(
                connection, kind,
                { pairs, _, name, value in
                    pairs!.assumingMemoryBound(to: [(String, String)].self).pointee
                        .append((String(cString: name!), value.map { String(cString: $0) } ?? ""))
                    return .YES
                }, pairs)
        }
        return Dictionary(pairs.map { (name($0), $1) }) { _, last in last }
    }

    private func completed(_ exchange: Exchange, _ connection: OpaquePointer) {
        exchange.stream?.connectionEnded()
        let address = UInt(bitPattern: connection)
        state.withLock { state in
            state.exchanges[ObjectIdentifier(exchange)] = nil
            state.clients[address]?.deadline = .now + limits.requestTime
        }
    }

    private func connectionChanged(_ connection: OpaquePointer, isNew: Bool) {
        let (address, descriptor) = (UInt(bitPattern: connection), live_socket(connection))
        state.withLock { state in
            if isNew {
                state.clients[address] = Client(deadline: .now + limits.requestTime, descriptor: descriptor)
            } else {
                state.clients[address] = nil
                state.connections -= 1
            }
        }
    }
}

// Ending.
extension ConnectionDaemon {
    /// Ends connections whose request takes too long: libmicrohttpd only ends idle connections.
    func endOverdueConnections() {
        // Under the lock, so that no descriptor is closed and used again meanwhile.
        state.withLock { state in
            for client in state.clients.values where client.deadline.map({ $0 < .now }) ?? false {
                live_shutdown(client.descriptor)
            }
        }
    }

    /// Retires the daemon: it gets no more connections, and each response ends its connection.
    func retire() { state.withLock { $0.retired = .now } }

    /// Whether the daemon is retired and all its connections have ended. libmicrohttpd does not count new connections
    /// at once.
    var isIdle: Bool {
        guard let retired = state.withLock({ $0.retired }) else { return false }
        return live_connections(daemon) == 0 && retired + .seconds(1) < .now
    }

    /// Stops calling handlers; further requests are answered with 503.
    func beginEnding() { state.withLock { $0.isEnding = true } }

    /// Whether a handler runs, or a connection is suspended until there is a response.
    var isBusy: Bool { state.withLock { !$0.busy.isEmpty } }

    func endStreams() { for stream in state.withLock({ $0.exchanges.values.compactMap(\.stream) }) { stream.end() } }

    /// Ends all connections, and waits for the thread. No connection may be suspended.
    func stop() { MHD_stop_daemon(daemon) }
}

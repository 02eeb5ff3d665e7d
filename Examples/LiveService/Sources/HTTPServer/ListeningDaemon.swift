internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// A daemon of libmicrohttpd, with its socket and connections.
final class ListeningDaemon: Sendable {
    private struct Client {
        /// When the connection is ended, unless a response begins before; nil while there is one.
        var deadline: ContinuousClock.Instant?
        let descriptor: Int32
    }

    private struct State {
        /// By the addresses of their connections.
        var clients: [UInt: Client] = [:]
        var exchanges: [ObjectIdentifier: Exchange] = [:]
        /// When the daemon was told to accept no more connections.
        var retired: ContinuousClock.Instant?
        /// The daemon's descriptor of the socket, which it does not close after it was told not to accept.
        var quiesced: Int32?
    }

    private let socket: ListeningSocket
    private let limits: HTTPServer.Limits
    private unowned let server: HTTPServer
    // Set once, by the initializer.
    private nonisolated(unsafe) var daemon: OpaquePointer!
    private nonisolated(unsafe) let callbacks = UnsafeMutablePointer<live_daemon_callbacks>.allocate(capacity: 1)
    private let state = Mutex(State())

    init(
        _ socket: consuming ListeningSocket, _ tls: HTTPServer.TLS?, _ limits: HTTPServer.Limits, _ server: HTTPServer
    ) throws(ListeningSocket.Failure) {
        self.socket = socket
        self.limits = limits
        self.server = server
        callbacks.initialize(to: Self.callbacks(Unmanaged.passUnretained(self).toOpaque()))
        var options = live_daemon_options()
        // The daemon closes its socket when it stops, also if it fails to start.
        options.listen_socket = fcntl(self.socket.descriptor, F_DUPFD_CLOEXEC, 0)
        options.threads = UInt32(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        options.connection_limit = UInt32(limits.connections)
        options.idle_timeout = UInt32(limits.requestTime.components.seconds)
        options.memory_limit = limits.connectionMemory
        if let tls {
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
            throw ListeningSocket.Failure(description: "the HTTP server cannot start; the log says why")
        }
    }

    deinit { callbacks.deallocate() }

    private static func callbacks(_ context: UnsafeMutableRawPointer) -> live_daemon_callbacks {
        live_daemon_callbacks(
            handle: { context, connection, url, method, _, upload, count, exchange in
                ListeningDaemon.of(context).handle(connection!, url!, method!, upload, count!, exchange!)
            },
            completed: { context, connection, exchange, _ in
                guard let known = exchange?.pointee else { return }
                ListeningDaemon.of(context).completed(
                    Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue(), connection!)
            },
            connection: { context, connection, socketContext, code in
                ListeningDaemon.of(context).connectionChanged(connection!, isNew: code.rawValue == 0)
            },
            log: { context, line in ListeningDaemon.of(context).server.log(String(cString: line!)) },
            context: context)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> ListeningDaemon {
        Unmanaged<ListeningDaemon>.fromOpaque(context!).takeUnretainedValue()
    }

    var activeRequests: Int { state.withLock { $0.exchanges.values.count { $0.stream == nil } } }

    /// Whether a connection may be suspended.
    var hasSuspended: Bool { state.withLock { $0.exchanges.values.contains(where: \.isWaiting) } }
}

// Called by libmicrohttpd.
extension ListeningDaemon {
    private func handle(
        _ connection: OpaquePointer, _ url: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>,
        _ upload: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>,
        _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> MHD_Result {
        guard let known = context.pointee else {
            let exchange = Exchange(connection, Self.request(connection, url, method), bodyLimit: limits.body)
            context.pointee = Unmanaged.passRetained(exchange).toOpaque()
            state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = exchange }
            return exchange.isAnnouncedTooLarge ? exchange.reject(.text(413, "the body is too large")) : .YES
        }
        let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
        if count.pointee > 0 {
            exchange.receive(UnsafeRawBufferPointer(start: upload, count: count.pointee))
            count.pointee = 0
            return .YES
        }
        let address = UInt(bitPattern: connection)
        let isRetired = state.withLock { state in
            state.clients[address]?.deadline = nil
            return state.retired != nil
        }
        return exchange.answer(isLast: isRetired) { server.handler($0, server) }
    }

    private static func request(
        _ connection: OpaquePointer, _ url: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>
    ) -> HTTPRequest {
        HTTPRequest(
            method: String(cString: method), path: String(cString: url),
            query: values(connection, .GET_ARGUMENT_KIND) { $0 },
            headers: values(connection, .HEADER_KIND) { $0.lowercased() })
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
        exchange.end()
        let address = UInt(bitPattern: connection)
        state.withLock { state in
            state.exchanges[ObjectIdentifier(exchange)] = nil
            state.clients[address]?.deadline = .now + limits.requestTime
        }
    }

    private func connectionChanged(_ connection: OpaquePointer, isNew: Bool) {
        let (address, descriptor) = (UInt(bitPattern: connection), live_socket(connection))
        state.withLock { state in
            state.clients[address] =
                isNew ? Client(deadline: .now + limits.requestTime, descriptor: descriptor) : nil
        }
    }
}

// Ending.
extension ListeningDaemon {
    /// Ends connections whose request takes too long: libmicrohttpd only ends those on which nothing happens.
    func endOverdueConnections() {
        // Under the lock, so that no descriptor is closed and used again meanwhile.
        state.withLock { state in
            for client in state.clients.values where client.deadline.map({ $0 < .now }) ?? false {
                live_shutdown(client.descriptor)
            }
        }
    }

    /// Refuses further connections. Those that wait to be accepted are the last; responses end their connections.
    func retire() {
        state.withLock { $0.retired = .now }
        let descriptor = MHD_quiesce_daemon(daemon)
        guard descriptor >= 0 else { return }
        state.withLock { $0.quiesced = descriptor }
        // The daemon closes a connection that it does not take.
        socket.stopAccepting { MHD_add_connection(daemon, $0, $1, $2) }
    }

    /// Whether all connections have ended. Those that were accepted last are not counted at once.
    var isIdle: Bool {
        guard let retired = state.withLock({ $0.retired }) else { return false }
        return live_connections(daemon) == 0 && retired + .seconds(1) < .now
    }

    func endStreams() { for stream in state.withLock({ $0.exchanges.values.compactMap(\.stream) }) { stream.end() } }

    /// Ends all connections. Waits for the threads of the daemon.
    func stop() {
        MHD_stop_daemon(daemon)
        if let descriptor = state.withLock({ $0.quiesced.take() }) { close(descriptor) }
    }
}

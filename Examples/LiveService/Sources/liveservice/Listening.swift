import Foundation
import HTTPServer
import SessionMirror
import Synchronization

/// Lets the server listen where the settings say, also after they have changed.
final class Listening: Sendable {
    private struct State {
        /// The settings that the server listens by.
        var current: Settings.Listen?
        /// Those it should; the same, unless that failed.
        var wanted: Settings.Listen?
        /// Whether the socket is that of the system manager.
        var isInherited = false
        var address = "nowhere"
    }

    private let server: HTTPServer
    private let log: Log
    private let announce: @Sendable (String) -> Void
    /// Held while sockets are opened, which takes no time: so the last settings count.
    private let state = Mutex(State())

    /// - Parameter announce: Takes the address when the server listens.
    init(_ server: HTTPServer, _ log: Log, announce: @escaping @Sendable (String) -> Void) {
        (self.server, self.log, self.announce) = (server, log, announce)
    }

    /// Listens for the first time: on the socket of the system manager, if it has one, or where the settings say.
    func start(_ settings: Settings.Listen) throws {
        try state.withLock { state in
            guard let inherited = SystemManager.inheritedSocket() else { return try open(settings, &state) }
            log.info("the socket is that of the system manager (socket activation)")
            state.isInherited = true
            try listen(on: inherited, settings, &state)
        }
    }

    /// Listens where the settings say. If that fails, the server goes on where it is, and ``retry()`` tries again.
    func change(to settings: Settings.Listen) {
        state.withLock { state in
            state.wanted = settings
            if state.current == settings { return }
            if state.isInherited {
                return log.warning("the socket is that of the system manager; \"listen\" counts after a restart")
            }
            do { try open(settings, &state) } catch { log.error("not listening: \(error)") }
        }
    }

    /// Tries again what has failed, for example because another program had the port.
    func retry() {
        state.withLock { state in
            guard let wanted = state.wanted, wanted != state.current, !state.isInherited else { return }
            try? open(wanted, &state)
        }
    }

    /// Reads the certificate and the key again.
    func reloadTLS() {
        state.withLock { state in
            guard let current = state.current, current.tls != nil, !state.isInherited else { return }
            do { try open(current, &state) } catch { log.error("the certificate is not used: \(error)") }
        }
    }

    /// Where the server listens.
    var address: String { state.withLock { $0.address } }

    private func open(_ settings: Settings.Listen, _ state: inout State) throws {
        try listen(on: ListeningSocket(settings.host, settings.port), settings, &state)
    }

    private func listen(
        on socket: consuming ListeningSocket, _ settings: Settings.Listen, _ state: inout State
    ) throws {
        let address = "\(settings.tls == nil ? "http" : "https")://\(socket.address)"
        try server.listen(on: socket, tls: Self.tls(settings.tls), limits: Self.limits(settings))
        (state.current, state.wanted, state.address) = (settings, settings, address)
        announce(address)
    }

    private static func limits(_ settings: Settings.Listen) -> HTTPServer.Limits {
        var limits = HTTPServer.Limits()
        limits.requestTime = settings.requestTime
        return limits
    }

    private static func tls(_ settings: Settings.TLS?) throws -> HTTPServer.TLS? {
        guard let settings else { return nil }
        return HTTPServer.TLS(
            certificate: try String(contentsOfFile: settings.certificate, encoding: .utf8),
            key: try String(contentsOfFile: settings.key, encoding: .utf8))
    }
}

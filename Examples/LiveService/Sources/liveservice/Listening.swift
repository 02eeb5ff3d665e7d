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
        /// Host and port.
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
            guard let inherited = SystemManager.inheritedSocket() else { return try apply(settings, &state) }
            log.info("the socket is that of the system manager (socket activation)")
            try serve(settings)
            state.isInherited = true
            listen(on: inherited, settings, &state)
        }
    }

    /// Follows changed settings. What is not possible changes nothing, and ``retry()`` tries it again.
    func change(to settings: Settings.Listen) {
        state.withLock { state in
            state.wanted = settings
            if state.current == settings { return }
            do { try apply(settings, &state) } catch { log.error("\"listen\" cannot be followed yet: \(error)") }
        }
    }

    /// Tries again what has failed, for example because another program had the port.
    func retry() {
        state.withLock { state in
            guard let wanted = state.wanted, wanted != state.current else { return }
            try? apply(wanted, &state)
        }
    }

    /// Reads the certificate and the key again.
    func reloadTLS() {
        state.withLock { state in
            guard let current = state.current else { return }
            do { try serve(current) } catch { log.error("the certificate is not used: \(error)") }
        }
    }

    /// Where the server listens.
    var address: String {
        state.withLock { state in Self.url(state.address, state.current) }
    }

    private static func url(_ address: String, _ settings: Settings.Listen?) -> String {
        "\(settings?.tls == nil ? "http" : "https")://\(address)"
    }

    private func apply(_ settings: Settings.Listen, _ state: inout State) throws {
        let current = state.current
        let isSameAddress = current.map { ($0.host, $0.port) == (settings.host, settings.port) } ?? false
        if isSameAddress || state.isInherited {
            if !isSameAddress {
                log.warning("the socket is that of the system manager; another host or port counts after a restart")
            }
            try serve(settings)
            (state.current, state.wanted) = (settings, settings)
            return announce(Self.url(state.address, settings))
        }
        let socket = try server.openSocket(settings.host, settings.port)
        try serve(settings)
        listen(on: socket, settings, &state)
    }

    private func serve(_ settings: Settings.Listen) throws {
        var limits = HTTPServer.Limits()
        limits.requestTime = settings.requestTime
        try server.serve(with: Self.tls(settings.tls), limits: limits)
    }

    private func listen(on socket: consuming ListeningSocket, _ settings: Settings.Listen, _ state: inout State) {
        let address = socket.address
        server.listen(on: socket)
        (state.current, state.wanted, state.address) = (settings, settings, address)
        announce(Self.url(address, settings))
    }

    private static func tls(_ settings: Settings.TLS?) throws -> HTTPServer.TLS? {
        guard let settings else { return nil }
        return HTTPServer.TLS(
            certificate: try String(contentsOfFile: settings.certificate, encoding: .utf8),
            key: try String(contentsOfFile: settings.key, encoding: .utf8))
    }
}

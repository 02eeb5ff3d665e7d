import Foundation
import HTTPServer
import SessionMirror
import Synchronization

/// Makes the server listen on the address in the settings, and follows their changes.
final class Listening: Sendable {
    private struct State {
        /// The settings in effect.
        var current: Settings.Listen?
        /// The requested settings; they differ from `current` only after a failure.
        var wanted: Settings.Listen?
        /// Whether the socket is that of the system manager.
        var isInherited = false
        /// Host and port.
        var address = "nowhere"
    }

    private let server: HTTPServer
    private let log: Log
    private let announce: @Sendable (String) -> Void
    /// Held while sockets are opened, which is fast, so that the last settings win.
    private let state = Mutex(State())

    /// - Parameter announce: Called with the URL when the server listens.
    init(_ server: HTTPServer, _ log: Log, announce: @escaping @Sendable (String) -> Void) {
        (self.server, self.log, self.announce) = (server, log, announce)
    }

    /// Listens for the first time: on the socket of the system manager, if it has one, or on the address in the
    /// settings.
    func start(_ settings: Settings.Listen) throws {
        try state.withLock { state in
            guard let inherited = SystemManager.inheritedSocket() else { return try apply(settings, &state) }
            log.info("the socket is that of the system manager (socket activation)")
            try serve(settings)
            state.isInherited = true
            listen(on: inherited, settings, &state)
        }
    }

    /// Applies changed settings. A failure changes nothing, and ``retry()`` tries again.
    func change(to settings: Settings.Listen) {
        state.withLock { state in
            state.wanted = settings
            if state.current == settings { return }
            do { try apply(settings, &state) } catch { log.error("cannot apply \"listen\", retrying: \(error)") }
        }
    }

    /// Applies settings again that have failed, for example because another program had the port.
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
            do { try serve(current) } catch { log.error("cannot reload the certificate: \(error)") }
        }
    }

    /// The URL of the server.
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
                log.warning("the socket is that of the system manager; another host or port applies after a restart")
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

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
        /// Why the requested settings are not in effect.
        var failure: String?
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
            guard let inherited = Self.inheritedSocket() else { return try apply(settings, &state) }
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
            state.failure = nil
            if state.current == settings { return }
            do { try apply(settings, &state) } catch {
                let failure = "cannot apply \"listen\", retrying: \(error)"
                state.failure = failure
                log.error(failure)
            }
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

    /// Where the server listens, or why it does not listen where it should, for people.
    var status: String {
        state.withLock { $0.failure ?? "listening on \(Self.url($0.address, $0.current))" }
    }

    private static func url(_ address: String, _ settings: Settings.Listen?) -> String {
        "\(settings?.tls == nil ? "http" : "https")://\(address)"
    }

    private func apply(_ settings: Settings.Listen, _ state: inout State) throws {
        let current = state.current
        let isSameAddress = current.map { ($0.host, $0.port) == (settings.host, settings.port) } ?? false
        if isSameAddress || state.isInherited {
            if !isSameAddress {
                log.warning(
                    "the socket is that of the system manager: host and port do not apply, change the socket unit")
            }
            try serve(settings)
            (state.current, state.wanted, state.failure) = (settings, settings, nil)
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
        (state.current, state.wanted, state.failure) = (settings, settings, nil)
        state.address = address
        announce(Self.url(address, settings))
    }

    private static func tls(_ settings: Settings.TLS?) throws -> HTTPServer.TLS? {
        guard let settings else { return nil }
        return HTTPServer.TLS(
            certificate: try text(at: settings.certificate), key: try text(at: settings.key))
    }

    /// - Throws: A `FileError`, which says what to do.
    private static func text(at path: String) throws -> String {
        String(decoding: try DurableFile(path).read(limit: 1_000_000).bytes, as: UTF8.self)
    }
}

extension Listening {
    /// The socket on which the system manager listens for this process (socket activation), the first of several; nil without
    /// one.
    fileprivate static func inheritedSocket() -> ListeningSocket? {
        func number(_ name: String) -> Int32? { getenv(name).flatMap { Int32(String(cString: $0)) } }
        guard number("LISTEN_PID") == getpid(), (number("LISTEN_FDS") ?? 0) > 0 else { return nil }
        // The first descriptor after those of the standard streams.
        return ListeningSocket(inherited: 3)
    }
}

internal import Dispatch
internal import Glibc

/// Accepts the connections of a socket, until it is stopped.
final class Acceptor: Sendable {
    typealias Delivery = @Sendable (Int32, UnsafePointer<sockaddr>, socklen_t) -> Void

    private let socket: ListeningSocket
    private let deliver: Delivery
    private let queue = DispatchQueue(label: "accept")
    // Dispatch's sources can be used on any thread.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    init(_ socket: consuming ListeningSocket, deliver: @escaping Delivery) {
        source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
        self.socket = socket
        self.deliver = deliver
        // The handlers retain the socket until the source is cancelled.
        source.setEventHandler { [self] in acceptWaiting() }
        source.setCancelHandler { [self] in _ = self }
        source.resume()
    }

    private func acceptWaiting() {
        if socket.accept(deliver) { return }
        // Retry later: connections that end free descriptors.
        source.suspend()
        queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [self] in source.resume() }
    }

    /// Sets whether another socket of this user may have the port.
    func sharePort(_ isShared: Bool) { socket.sharePort(isShared) }

    /// Delivers the waiting connections, and refuses further ones.
    func stop() { queue.sync { stopOnQueue() } }

    /// Delivers the connections that have begun, and refuses further ones soon: a closed socket would reset a connection whose
    /// handshake is not complete.
    func retire() {
        queue.sync { socket.ignoreNewConnections() }
        queue.asyncAfter(deadline: .now() + .milliseconds(50)) { [self] in stopOnQueue() }
    }

    private func stopOnQueue() {
        _ = socket.accept(deliver)
        socket.refuse()
        source.cancel()
    }
}

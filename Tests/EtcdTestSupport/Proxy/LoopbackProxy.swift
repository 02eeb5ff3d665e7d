import CLinux
import Glibc
import Locking
import TestSupport

/// A TCP proxy between two ports of 127.0.0.1 that can hold back, lose and reset traffic.
///
/// ```swift
/// let proxy = try LoopbackProxy(to: 2379)
/// proxy.dropAnswers()
/// send(request, to: proxy.url)
/// eventually("the answer is lost") { proxy.traffic.droppedBytes > 0 }
/// proxy.resume()
/// ```
///
/// A command is in force for all bytes that the proxy has not forwarded when the call returns. The proxy has one thread for all
/// connections, and copies: it is no measure of throughput.
package final class LoopbackProxy: Sendable {
    /// What has passed since the start, over all connections.
    package struct Traffic: Equatable, Sendable {
        package var openConnections = 0
        package var acceptedConnections = 0
        /// Bytes that were forwarded to the target.
        package var requestBytes = 0
        /// Bytes that were forwarded to clients.
        package var answerBytes = 0
        /// Bytes of answers that clients never get.
        package var droppedBytes = 0

        mutating func add(_ connection: ProxyConnection) {
            acceptedConnections += 1
            requestBytes += connection.requests.forwardedBytes
            answerBytes += connection.answers.forwardedBytes
            droppedBytes += connection.answers.droppedBytes
        }
    }

    /// The port that clients connect to.
    package let port: UInt16
    /// The URL that clients connect to, without encryption.
    package var url: String { "http://127.0.0.1:\(port)" }

    private let state: Lock<ProxyState>
    private let wakeup: Int32
    private let thread: TestThread

    /// Starts to forward to a port, on which nothing needs to listen yet.
    package convenience init(to targetPort: UInt16) throws {
        try self.init(on: LoopbackSocket.freePort(), to: targetPort)
    }

    init(on port: UInt16, to targetPort: UInt16) throws {
        let (state, wakeup) = (Lock(try ProxyState(port: port, targetPort: targetPort)), clinux_wakeup_open())
        precondition(wakeup >= 0, "no eventfd")
        (self.port, self.state, self.wakeup) = (port, state, wakeup)
        thread = TestThread { Self.forward(state, wakeup) }
    }

    deinit {
        command { $0.end() }
        thread.join()
        close(wakeup)
    }

    private static func forward(_ state: Lock<ProxyState>, _ wakeup: Int32) {
        while true {
            let (interests, isEnded) = state.withLock { ($0.interests, $0.isEnded) }
            if isEnded { return }
            var requests = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)] + interests
            guard poll(&requests, nfds_t(requests.count), -1) > 0 else { continue }
            if requests[0].revents != 0 { clinux_wakeup_clear(wakeup) }
            let ready = Set(requests.filter { $0.revents != 0 }.map(\.fd))
            state.withLock { $0.advance(ready) }
        }
    }

    private func command(_ body: (inout ProxyState) -> Void) {
        state.withLock { body(&$0) }
        clinux_wakeup_send(wakeup)
    }

    package var traffic: Traffic { state.withLock { $0.traffic } }

    /// Holds back all bytes in both directions, as a network partition does. Connections stay open, and clients can still
    /// connect. ``resume()`` delivers what was held back.
    package func stop() { command { $0.set(.stopped) } }

    /// Forwards requests and drops their answers, on open and on new connections.
    package func dropAnswers() { command { $0.set(.droppingAnswers) } }

    /// Refuses new connections, as if nothing listened on the port. Open connections go on: see ``cut()``.
    package func refuse() { command { $0.refuse() } }

    /// Ends ``stop()``, ``dropAnswers()`` and ``refuse()``. Resets connections that have lost bytes of an answer.
    package func resume() { command { $0.set(.forwarding) } }

    /// Resets all connections. New ones are treated as before.
    package func cut() { command { $0.cut() } }

    /// Holds back all bytes of connections that this process has opened, until `isHeldBack` is false, independently of
    /// ``stop()`` and ``resume()``.
    func holdBack(_ process: Int32, _ isHeldBack: Bool) { command { $0.holdBack(process, isHeldBack) } }
}
